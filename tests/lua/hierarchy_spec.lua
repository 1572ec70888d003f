-- Metric hierarchies: the meaning of lines, errors in them, and the architectures' own files.
local fixture = require "fixture"
local hierarchy = require "input.hierarchy"
local lists = require "input.lists"

local LIST = lists.collect({ "E1", "E2", "E3", "E4", "SCALAR" }, function(name) return { event = name, counters = "PMC" } end)

local function read(...)
    local files = lists.map({ ... }, function(text, i) return { text = text, file = ("f%d"):format(i), is_shipped = i == 1 } end)
    return hierarchy.read { files = files, list = LIST, arch = "testArch" }
end

-- "NAME kind parent's name" of each metric
local function outline(trees)
    local lines = {}
    for i, metric in ipairs(trees.metrics) do
        local parent = metric.parent and trees.metrics[metric.parent + 1].name or "-"
        lines[i] = ("%s %s %s"):format(metric.name, metric.kind, parent)
    end
    return lines
end

local function message(...)
    local ok, err = pcall(read, ...)
    assert.is_false(ok)
    return err
end

describe("a hierarchy", function()
    it("is a tree of measured, composed and computed metrics, parents first", function()
        local trees = read 'ALL [lines] = A + B "all lines"\nA = E1 # counted\nB = C + E2\nC := 2 * E3 - E4\n'
        assert.same({ "ALL composed -", "A measured ALL", "B composed ALL", "C computed B", "E2 measured B" }, outline(trees))
        local units = lists.map(trees.metrics, "unit")
        assert.same({ "lines", "lines", "lines", "lines", "lines" }, units)
        assert.same({ "all lines", "f1:1", "A + B" }, { trees.metrics[1].about, trees.metrics[1].where, trees.metrics[1].text })
    end)

    it("requests the events of an expression together, and each other event alone", function()
        local trees = read "A = B + E1\nB := 2 * E2 - C\nC = E3:EDGE=1\n"
        local wants = {}
        for i, want in ipairs(trees.wants) do
            wants[i] = want.name .. ":"
            for _, one in ipairs(want.events) do
                wants[i] = wants[i] .. " " .. one.event .. "/" .. one.options
            end
        end
        assert.same({ "B: E2/ E3/EDGE=1", "E1: E1/", "C: E3/EDGE=1" }, wants)
    end)

    it("leaves out undefined parts, and marks the sum as partial", function()
        local trees = read "A = B + C + D\nB = E1\nC = X + Y\nZ := E1 + Q\n"
        assert.same({ "A composed -", "B measured A" }, outline(trees))
        assert.same({ "C", "D" }, { table.unpack(trees.metrics[1].lacks) })
    end)

    it("is complete without parts that do not exist on the processor", function()
        local trees = read("A = B + C\nB = E1\n", "C = none\n")
        assert.same({ "A composed -", "B measured A" }, outline(trees))
        assert.is_nil(trees.metrics[1].lacks)
    end)

    it("is extended or replaced by later files", function()
        local trees = read("A [accesses] = B + C\nB = E1\n", "C = E2 + E3\n", "B := E1 - E4\nMINE = E4\n")
        assert.same({ "A composed -", "B computed A", "C composed A", "E2 measured C", "E3 measured C", "MINE measured -" }, outline(trees))
        assert.same({ "f3:1", "accesses" }, { trees.metrics[2].where, trees.metrics[2].unit })
        assert.same({ "f1", "f2", "f3" }, { table.unpack(trees.hierarchy) })
    end)

    it("has only the requested trees", function()
        local files = { { text = "A [x] = B + C\nB = E1 + E2\nC = E3\nD = E4\nN = X\n", file = "f1", is_shipped = true } }
        local trees = hierarchy.read { files = files, list = LIST, arch = "testArch", trees = "D,B" }
        assert.same({ "D measured -", "A composed -", "B composed A", "E1 measured B", "E2 measured B" }, outline(trees))
        assert.same({ 3, "", "x", "x" }, { #trees.wants, trees.metrics[1].unit, trees.metrics[2].unit, trees.metrics[3].unit })
        assert.same({ "C" }, { table.unpack(trees.metrics[2].lacks) }) -- the sum above a requested metric has only its requested parts
        for name, message_wanted in pairs { Q = "--tree Q: no such metric; assay analyse --plan prints all",
            N = "--tree N: testArch has no events for it" } do
            assert.has_error(function() hierarchy.read { files = files, list = LIST, arch = "testArch", trees = name } end, message_wanted)
        end
    end)

    it("has a complete sum if all of its parts are requested", function()
        local files = { { text = "A = B + C\nB = E1\nC = D + E2\nD = E3\n", file = "f1", is_shipped = true } }
        local trees = hierarchy.read { files = files, list = LIST, arch = "testArch", trees = "B,D" }
        assert.same({ "A composed -", "B measured A", "C composed A", "D measured C" }, outline(trees))
        assert.same({ "E2" }, { table.unpack(trees.metrics[3].lacks) })
        assert.is_nil(trees.metrics[1].lacks)
        trees = hierarchy.read { files = files, list = LIST, arch = "testArch", trees = "B,C" }
        assert.is_nil(trees.metrics[3].lacks)
    end)

    it("may use an event in several trees", function()
        assert.same({ "A composed -", "E1 measured A", "E2 measured A", "B composed -", "E1 measured B", "E3 measured B" },
            outline(read "A = E1 + E2\nB = E1 + E3\n"))
    end)
end)

describe("a hierarchy is refused, with file and line, that", function()
    it("has a cycle", function()
        assert.equal("f2:2: A is part of itself: A -> B -> A", message("X = E1\n", "\nA = B + E1\nB = A + E2\n"))
        assert.matches("^f2:1: A is part of itself: A %-> A", message("X = E1\n", "A := A + E1\n"))
    end)

    it("names an unknown event", function()
        assert.matches("^f2:3: E9 is neither a metric nor an event of testArch", message("X = E1\n", "A = E1\n\nB = A + E9\n"))
        assert.matches("^f2:1: E9 is neither a metric nor an event of testArch", message("X = E1\n", "B := E9 / E1\n"))
        assert.matches("^f2:1: E9 is neither", message("X = E1\n", "B = E9\n"))
    end)

    it("defines a name twice", function()
        assert.equal("f2:2: A is defined twice, first in line 1", message("X = E1\n", "A = E1\nA = E2\n"))
    end)

    it("gives children to a computed metric", function()
        assert.equal("f2:2: A is computed and cannot have children; its other definition is in line 1",
            message("X = E1\n", "A := E1 - E2\nA = E1 + E2\n"))
    end)

    it("gives a metric two parents", function()
        assert.matches("^f2:3: C is part of A already %(f2:1%)", message("X = E1\n", "A = C + E2\nC = E1\nB = C + E3\n"))
    end)

    it("has malformed lines", function()
        for _, text in ipairs { "A\n", "A =\n", "= E1\n", "A B = E1\n", "A [x = E1\n", "1 = E1\n" } do
            assert.matches("^f2:1: a line is 'NAME = EVENT'", message("X = E1\n", text))
        end
        assert.matches("^f2:1: 'E1 %- E2' is no name", message("X = E1\n", "A = E1 - E2\n"))
        assert.matches("^f2:1: formula", message("X = E1\n", "A := (E1\n"))
        assert.matches("^f2:1: A is computed from nothing", message("X = E1\n", "A := 1 + 1\n"))
    end)
end)

describe("the architectures' hierarchies", function()
    -- Events that the virtual node models. tests/system/analyse.bats checks the events of LIKWID's list.
    local function list_of(arch)
        local list = {}
        for name in fixture.text(("groups/%s/pmu.events"):format(arch)):gmatch "event %S+ %S+ %S+ ([%w_]+)" do
            list[#list + 1] = { event = name, counters = "PMC" }
        end
        for name in fixture.text(("groups/%s/pmu.events"):format(arch)):gmatch "response %S+ %S+ %S+ ([%w_]+)" do
            list[#list + 1] = { event = name, counters = "PMC" }
        end
        return list
    end

    -- LIKWID names two of eight memory channels, and never writes the register of offcore responses.
    local CODE = { INSTRUCTION_LINES = true }
    local LACKING = { zen2 = { MEMORY_LINES = true }, SPR = CODE, EMR = CODE, GNR = CODE }

    for _, arch in ipairs { "haswellEP", "broadwellEP", "skylakeX", "CLX", "ICX", "SPR", "EMR", "GNR", "zen2", "zen3", "zen4", "haswell",
        "broadwell", "skylake" } do
        it("show a program's accesses, branches and cycles: " .. arch, function()
            local own = ("groups/%s/pmu.hierarchy"):format(arch)
            local trees = hierarchy.read { arch = arch, list = list_of(arch), files = {
                { text = fixture.text "hierarchies/generic.txt", file = "hierarchies/generic.txt", is_shipped = true },
                { text = fixture.text(own), file = own, is_shipped = true },
            } }
            local roots = {}
            for _, metric in ipairs(trees.metrics) do
                roots[metric.name] = not metric.parent and #(metric.lacks or {}) == 0 or nil
            end
            for _, name in ipairs { "INSTRUCTIONS", "CYCLES", "BRANCHES", "BRANCHES_BY_KIND", "INSTRUCTION_LINES", "TRANSLATIONS",
                "MEMORY_LINES" } do
                assert.are.equal(roots[name] == nil, (LACKING[arch] or {})[name] == true, name)
            end
        end)
    end
end)
