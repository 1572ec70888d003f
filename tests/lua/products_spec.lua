-- products_spec.lua - the counts of the probe products, by hand. SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local concepts = require "input.concepts"
local loaded = require "input.loaded"
local probe = require "input.probe"
local rows = require "events.judge.rows"

probe.read { text = fixture.text "probes/products.lua", file = "probes/products.lua" }
local products = loaded.find({ name = "products" }, "probes")

-- Of each part: instructions, single precision scalars, conditional branches, all branches, calls.
local function part(instructions, scalars, conditional, calls, returns)
    local none = { loads = 0, stores = 0, avx_loads = 0, avx_stores = 0, avx_calc = 0, divides = 0, fp_scalar_dp = 0,
        fp_128_sp = 0, fp_128_dp = 0, fp_256_sp = 0, fp_256_dp = 0 }
    none.instructions, none.fp_scalar_sp, none.conditional, none.calls, none.returns = instructions, scalars, conditional, calls, returns
    none.branches = conditional + calls + returns
    return none
end

local DOT = { constant = part(4, 0, 0, 0, 1), pass = part(6, 2, 1, 0, 0) }
local OUTER = { constant = part(10, 0, 0, 0, 1), pass = part(8, 0, 1, 1, 0) }

local function counts(name, n, times)
    local called = { products_of_singles = DOT, products_of_vector = OUTER, products_of_matrix = OUTER }
    local code = fixture.named(products.codes, name)
    return products.counts { code = code, point = { n = n }, times = times, parts = OUTER, called = called }
end

-- The terms of all concepts.
local function concepts_by_name()
    local terms = {}
    for _, one in ipairs(concepts.read { text = fixture.text "probes/concepts.txt", file = "probes/concepts.txt" }) do
        terms[one.name] = one.terms
    end
    return terms
end

local function curve(name)
    return fixture.named(products.curves, name)
end

describe("products", function()
    it("have 2 N, 2 N^2 and 2 N^3 operations per execution", function()
        assert.equal(7 * 2 * 5, counts("products_sdot", 5, 7)["scalar SP"])
        assert.equal(7 * 2 * 5 ^ 2, counts("products_sgemv", 5, 7)["scalar SP"])
        assert.equal(7 * 2 * 5 ^ 3, counts("products_sgemm", 5, 7)["scalar SP"])
        assert.equal(0, counts("products_sgemm", 5, 7)["scalar DP"])
        for name, amount in pairs { sdot = 10, dgemv = 50, dgemm = 250 } do
            assert.equal(amount, curve(name).amount { point = { n = 5 } })
        end
    end)

    it("have indirect calls of the dot product, and branches of each loop", function()
        local found = counts("products_sgemm", 5, 7)
        assert.equal(7 * 25, found["indirect calls"])
        assert.equal(7 + 7 * 5, found["direct calls"]) -- of a product of matrices, and of its vectors
        assert.equal(1 + 7 + 7 * 5 + 7 * 25, found["returns"])
        assert.equal(1 + 7 + 7 * 5 + 7 * 25, found["conditional branches not taken"])
        assert.equal(6 + 7 * 4 + 7 * 5 * 4 + 7 * 25 * 4, found["conditional branches taken"])
        assert.equal(7, counts("products_sdot", 5, 7)["indirect calls"])
        assert.equal(0, counts("products_sdot", 5, 7)["direct calls"])
        assert.is_false(found["mispredicted branches"])
        assert.is_false(found["loads from L1"])
    end)

    -- operands in memory, N = 64, a line has 8 doubles: dot product 2 N / 8 and the sum's line; matrix-vector N^2 / 8 + 2 N / 8, N / 8
    -- written; two rows of a product N^2 / 8 and 2 x 2 N / 8, 2 N / 8 written; the matrix twice where the last cache cannot keep it
    it("move their operands between memory and the core", function()
        local machine, node = fixture.machine "haswellEP", fixture.node()
        local function moved(name, n)
            local found = products.counts { code = fixture.named(products.codes, name), point = { n = n }, times = 1, machine = machine,
                node = node }
            local read = found["data reads from memory"]
            return read and read.min, found["modified lines from L3"], read and read.max - read.min
        end
        local last = require("model.traffic").capacity(machine, node, #node.caches, 1)
        assert.same({ 2 * 64 / 8 + 1, 1, 0 }, { moved("products_ddot_memory", 64) })
        assert.same({ 64 * 64 / 8 + 2 * 64 / 8, 8 }, { table.unpack({ moved("products_dgemv_memory", 64) }, 1, 2) })
        assert.same({ 64 * 64 / 8 + 4 * 64 / 8, 16 }, { table.unpack({ moved("products_dgemm_memory", 64) }, 1, 2) })
        local large = math.floor(2 * math.sqrt(last / 8)) // 8 * 8
        assert.same({ 2 * large * large / 8 + 4 * large / 8, 2 * large / 8 },
            { table.unpack({ moved("products_dgemm_memory", large) }, 1, 2) })
        local between = math.floor(math.sqrt(last / 8)) // 8 * 8 -- as large as the cache: no expectation
        assert.is_false((moved("products_dgemm_memory", between)))
        local marks = curve("dgemm traffic").marks { machine = machine, node = node }
        assert.near(last, 16 * marks[1].x ^ 2, 1)
        assert.near(last, 8 * (marks[2].x ^ 2 + marks[2].x), 1)
    end)

    it("are executed 20 times in memory, on a virtual node less often, with the reason", function()
        for _, name in ipairs { "ddot traffic", "dgemv traffic", "dgemm traffic" } do
            assert.same({ times = 20 }, curve(name).executions { node = { kind = "native" } })
            local fewer = curve(name).executions { node = { kind = "virtual" } }
            assert.is_true(fewer.times < 20 and fewer.why_fewer ~= nil)
        end
    end)

    it("have no expectation for the caches above memory", function()
        local terms = concepts_by_name()["lines into L1"]
        local found = products.counts { code = fixture.named(products.codes, "products_dgemm_memory"), point = { n = 64 }, times = 1,
            machine = fixture.machine "haswellEP", node = fixture.node() }
        for concept, amount in pairs(found) do
            found[concept] = type(amount) == "number" and { min = amount, value = amount, max = amount } or amount
        end
        local row = { regions = { { times = 1, counts = found }, { times = 1, counts = found } } }
        assert.is_false(rows.expected(row, terms))
        for concept, lines in pairs { ["lines from memory"] = 64 * 64 / 8 + 4 * 64 / 8, ["lines to memory"] = 16 } do
            assert.equal(lines, rows.expected(row, concepts_by_name()[concept]).value)
        end
    end)

    it("have counts of basic concepts only", function()
        local terms = concepts_by_name()
        for concept in pairs(counts("products_sgemm", 5, 7)) do
            assert.equal(1, terms[concept][concept], concept)
        end
    end)

    it("have curves over N = 1 to 100 by 1 and to 500 by 50, with fewer products of matrices on a virtual node", function()
        local native, virtual = { node = { kind = "native" } }, { node = { kind = "virtual" } }
        for _, at in ipairs { native, virtual } do
            local sizes = curve("sgemv").values(at)
            assert.same({ 1, 2, 100, 150, 500, 108 }, { sizes[1], sizes[2], sizes[100], sizes[101], sizes[108], #sizes })
        end
        assert.equal(108, #curve("dgemm").values(native))
        assert.equal(108, #curve("sgemm").values { node = { kind = "virtual" }, is_named = true })
        local few = curve("dgemm").values(virtual)
        assert.same({ 4, 8, 100, 25 }, { few[1], few[2], few[25], #few })
    end)
end)
