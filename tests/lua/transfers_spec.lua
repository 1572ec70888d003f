-- transfers_spec.lua - expected counts of the probe of transfers, by hand, and its choice of the other core.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local concepts = require "input.concepts"
local events = require "events.plan.events"
local loaded = require "input.loaded"
local probe = require "input.probe"

probe.read { text = fixture.text "probes/transfers.lua", file = "probes/transfers.lua" }
local transfers = loaded.find({ name = "transfers" }, "probes")
local known = concepts.read { text = fixture.text "probes/concepts.txt", file = "probes/concepts.txt" }

local function part(instructions, loads, conditional, returns)
    return { instructions = instructions, loads = loads, stores = 0, avx_loads = 0, avx_stores = 0, avx_calc = 0, divides = 0,
        fp_scalar_sp = 0, fp_scalar_dp = 0, fp_128_sp = 0, fp_128_dp = 0, fp_256_sp = 0, fp_256_dp = 0,
        conditional = conditional, calls = 0, returns = returns, branches = conditional + returns }
end

local PARTS = { constant = part(1, 0, 0, 1), pass = part(10, 1, 1, 0) }

local function counts(name, kind, arch)
    return transfers.counts { code = fixture.named(transfers.codes, name), point = { pages = 2 }, times = 3, parts = PARTS,
        node = { kind = kind or "virtual" }, machine = fixture.machine(arch) }
end

local N = 2 * 63 * 3

-- Sum of the least expected counts of the concepts whose names begin with the text.
local function sum(found, begin)
    local all = 0
    for concept, amount in pairs(found) do
        all = all + (concept:find("^" .. begin .. ".+") and amount.min or 0)
    end
    return all
end

describe("transfers", function()
    it("are one per load, 63 per page, and of one kind", function()
        for name, kind in pairs { transfers_modified = "of lines modified elsewhere", transfers_clean = "of lines clean elsewhere",
            transfers_dropped = "of lines dropped elsewhere", transfers_modified_across = "of lines modified in another socket",
            transfers_clean_across = "of lines clean in another socket", transfers_memory_across = "from far memory" } do
            local found = counts(name)
            assert.same({ N, N }, { found["loads " .. kind].min, found["data reads " .. kind].min })
            assert.equal(N, sum(found, "loads ")) -- and of no other kind
            assert.equal(0, sum(found, "ownership "))
        end
    end)

    it("are one per store, without a load", function()
        for name, kind in pairs { takes_modified = "of lines modified elsewhere", takes_clean = "of lines clean elsewhere",
            takes_modified_across = "of lines modified in another socket", takes_clean_across = "of lines clean in another socket",
            takes_memory_across = "from far memory" } do
            local found = counts(name)
            assert.equal(N, found["ownership " .. kind].min)
            assert.equal(N, sum(found, "ownership "))
            assert.equal(0, sum(found, "loads ") + sum(found, "data reads "))
            assert.equal(0, found["shared lines into L2"].min) -- it is the core's alone
        end
    end)

    it("make loaded lines shared, except those that no core has any more", function()
        assert.equal(N, counts("transfers_clean")["shared lines into L2"].min)
        assert.equal(N, counts("transfers_modified_across")["shared lines into L2"].min)
        assert.equal(0, counts("transfers_dropped")["shared lines into L2"].min)
        assert.is_false(counts("transfers_modified_across", "native")["shared lines into L2"])
    end)

    it("include dropped lines, which the last level keeps; it snoops for them only if it was not notified", function()
        assert.equal(N, counts("transfers_dropped", "virtual", "skylakeX")["loads from L3 alone"].min)
        assert.equal(0, counts("transfers_dropped", "virtual", "skylakeX")["loads of lines dropped elsewhere"].min)
        assert.is_nil(counts("transfers_dropped", "native", "skylakeX"))
        assert.equal(N, counts("transfers_dropped", "native")["loads of lines dropped elsewhere"].min)
    end)

    it("do not predict on silicon which socket a clean line comes from", function()
        assert.is_false(counts("transfers_clean_across", "native")["loads from memory"])
        assert.is_false(counts("transfers_clean_across", "native")["loads of lines clean in another socket"])
        assert.equal(0, counts("transfers_modified_across", "native")["loads from memory"].min)
        assert.is_false(counts("takes_clean_across", "native")["ownership from memory"])
        assert.equal(0, counts("takes_clean_across", "native")["loads from memory"].min)
    end)

    it("have counts of basic concepts only", function()
        local basic = {}
        for _, one in ipairs(known) do
            basic[one.name] = one.terms[one.name]
        end
        for concept in pairs(counts "transfers_modified") do
            assert.equal(1, basic[concept], concept)
        end
    end)

    it("are planned with another core of the same cache, and of another socket, if there is one", function()
        local function arguments(by_socket)
            local found, node = {}, fixture.node()
            node.sockets, node.numa_domains = #by_socket, #by_socket
            node.cpus_by_socket, node.cpus_by_domain = by_socket, by_socket
            local plan = events.make { probes = { transfers }, concepts = known, machine = fixture.machine(), node = node,
                kernels = { ["probes:walk_loads"] = { parts = PARTS }, ["probes:walk_stores"] = { parts = PARTS } },
                groups = fixture.groups(), list = {}, events = {} }
            for _, point in ipairs(plan.jobs[1].points) do
                found[point.code] = table.concat(point.arguments, " ")
            end
            return found
        end
        local found = arguments { { 0, 1 }, { 2, 3 } }
        assert.equal("transfers_modified 16 2 5", found.transfers_modified) -- CPU 1 and 1
        assert.equal("transfers_memory_across 16 3 5", found.transfers_memory_across)
        found = arguments { { 0 } }
        assert.is_nil(next(found))
    end)
end)
