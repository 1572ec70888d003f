-- boxes_spec.lua - groups on nodes that lack some of an architecture's boxes: neither zeros nor missing values.
-- SPDX-License-Identifier: GPL-3.0-or-later
local boxes = require "plan.boxes"
local fixture = require "fixture"
local formula = require "input.formula"
local quantity = require "plan.quantity"
local samples = require "read.samples"

local machine = fixture.machine()

local function node_with(cores, l3_bytes)
    local node = fixture.node()
    node.cores_per_socket = cores
    node.caches[3].size_bytes = l3_bytes or cores * 2621440
    return node
end

describe("boxes.fit", function()
    it("keeps a box that no processor of the architecture has: the group file is wrong, so the error must show", function()
        local group = { name = "G", events = { { name = "CBOX17C0", counter = "CBOX17C0" }, { name = "CBOX18C0", counter = "CBOX18C0" } },
            metrics = {} }
        local left = boxes.fit(group, machine, node_with(2)).events
        assert.equal(1, #left)
        assert.equal("CBOX18C0", left[1].name)
    end)
end)

describe("boxes.count", function()
    it("assumes one NUMA domain per socket if that is unknown", function()
        local node, box = node_with(4), { name = "X", boxes = 9, one_per = "numa" }
        for domains, count in pairs { [1] = 1, [2] = 2 } do
            node.numa_domains = domains
            assert.equal(count, boxes.count(box, machine, node))
        end
        node.numa_domains = nil
        assert.equal(1, boxes.count(box, machine, node))
    end)
    local box
    for _, one in ipairs(machine.counters) do
        box = one.name == "CBOX" and one or box
    end

    it("is one per core, more where the L3 is larger, and never more than the architecture has", function()
        assert.equal(2, boxes.count(box, machine, node_with(2)))
        assert.equal(1, boxes.count(box, machine, node_with(1, 1048576)))
        assert.equal(6, boxes.count(box, machine, node_with(4, 15 << 20)))
        assert.equal(18, boxes.count(box, machine, node_with(24)))
    end)

    it("follows the topology: cores, domains, NUMA domains, slices of each, one of a socket", function()
        local node = node_with(16, 8 * 4194304)
        node.sockets, node.numa_domains = 2, 8
        node.cpus_by_domain = { {}, {}, {}, {} }
        local function count(one_per, each, most)
            return boxes.count({ name = "X", boxes = most or 99, one_per = one_per, each = each }, machine, node)
        end
        assert.equal(16, count "core")
        assert.equal(2, count "domain")
        assert.equal(4, count "numa")
        assert.equal(8, count("numa", 2))
        assert.equal(3, count("numa", 2, 3))
        assert.equal(1, count "socket")
        assert.equal(2 * (8 * 4194304 // 2621440), count "slice")
        local eight = fixture.machine()
        eight.levels[#eight.levels].slices = 8 -- whatever its cores and size
        assert.equal(16, boxes.count({ name = "X", boxes = 99, one_per = "slice" }, eight, node))
    end)

    it("follows channels and home agents if they are known, else allows all", function()
        local node, memory = node_with(2), { name = "MBOX", boxes = 8, one_per = "channel" }
        assert.equal(8, boxes.count(memory, machine, node))
        node.channels, node.agents = 4, 1
        assert.equal(4, boxes.count(memory, machine, node))
        assert.equal(1, boxes.count({ name = "BBOX", boxes = 2, one_per = "agent" }, machine, node))
        local hbm = { name = "HBM", boxes = 16, one_per = "hbm" }
        assert.equal(0, boxes.count(hbm, machine, node))
        node.hbm = true
        assert.equal(16, boxes.count(hbm, machine, node)) -- until a census finds them
        node.hbm_channels = 8
        assert.equal(8, boxes.count(hbm, machine, node))
    end)

    it("is listed if it is known: from a census, or for a node with known channels", function()
        local node, known = node_with(2), node_with(2)
        assert.is_nil(boxes.list(machine, node))
        known.channels, known.agents = 4, 1
        assert.same({ MBOX = { 0, 1, 2, 3 }, BBOX = { 0 }, CBOX = { 0, 1 } }, boxes.list(machine, known))
        known.boxes = { MBOX = { 0, 3 } }
        assert.same({ MBOX = { 0, 3 } }, boxes.list(machine, known))
    end)

    it("is what the machine declares for boxes that do not come with cores", function()
        assert.equal(8, boxes.count({ name = "MBOX", boxes = 8 }, machine, node_with(2)))
        assert.equal(1, boxes.count({ name = "PMC" }, machine, node_with(2)))
    end)
end)

describe("boxes.fit", function()
    local group = fixture.groups().ASSAY_CBOX

    it("leaves out absent slices, their metrics and their terms of sums", function()
        local fitted = boxes.fit(group, machine, node_with(3))
        assert.equal(3 + 3 * 3, #fitted.events)
        assert.equal(4 + 2 + 2 * 3, #fitted.metrics)
        assert.equal("CBOX data reads volume", fitted.metrics[5].name)
        local counts = {}
        for slice = 0, 2 do
            counts[("CBOX%dC0:OPCODE=0x182"):format(slice)] = 10 ^ slice
            counts[("CBOX%dC2:OPCODE=0x182"):format(slice)] = 0
        end
        assert.near(111 * 64e-9, formula.evaluate(fitted.metrics[5].parsed, counts), 1e-18)
        counts["CBOX1C0:OPCODE=0x182"] = nil -- there, but without a value
        assert.same({ nil, "CBOX1C0:OPCODE=0x182" }, { formula.evaluate(fitted.metrics[5].parsed, counts) })
    end)

    it("returns a group that lacks nothing unchanged", function()
        assert.equal(group, boxes.fit(group, machine, node_with(18)))
        local memory = fixture.groups().ASSAY_MEM
        assert.equal(memory, boxes.fit(memory, machine, node_with(2)))
    end)

    it("leaves out a group whose sums lack slices that LIKWID's table does not have", function()
        local function unfit(cores)
            local groups = boxes.fit_all(fixture.groups(), machine, node_with(cores))
            return groups.ASSAY_CBOX.unfit, groups.ASSAY_MEM.unfit
        end
        assert.same({}, { unfit(18) })
        assert.same({ "LIKWID counts in 18 of a socket's 19 slices" }, { unfit(19) })
    end)

    it("makes as many quantities as there are slices", function()
        local groups = boxes.fit_all(fixture.groups(), machine, node_with(3))
        local found = {}
        for _, one in ipairs(quantity.traffic(machine, groups, "L2-L3")) do
            found[#found + 1] = one.group == "ASSAY_CBOX" and one or nil
        end
        assert.equal(1 + 3, #found)
        assert.same({ "CBOX data reads volume", "volume" }, { found[1].metric, found[1].kind })
        assert.is_nil(found[1].boxes)
        assert.same({ "CBOX2 data reads volume", "slice", 3 }, { found[4].metric, found[4].kind, found[4].boxes })
    end)
end)

describe("formula.without", function()
    local function left(text)
        local parsed = formula.without(formula.parse(text), { x = true, y = true })
        return parsed and formula.evaluate(parsed, { a = 5, b = 3 }), parsed and table.concat(parsed.names, " ")
    end

    it("drops terms from sums and products with an absent factor", function()
        assert.same({ 5, "a" }, { left "a+x" })
        assert.same({ 5, "a" }, { left "x*2+a" })
        assert.same({ -5, "a" }, { left "x-a" })
        assert.same({ 3, "b" }, { left "b-(-x)" })
        assert.same({ 16, "a b" }, { left "2*(a+x+b+y)" })
        assert.is_nil((left "a*x"))
        assert.is_nil((left "x+y*a"))
        assert.is_nil((left "a/(x+y)"))
    end)
end)

describe("samples of slices", function()
    -- The samples of the plan's first point in L3 by metric, each slice counting the given number of lines; no value where it is nil.
    -- lacking = names of slices that this socket lacks and another one has |nil.
    local function read(lines, lacking)
        local node = fixture.node()
        node.lacking = lacking and { lacking, {} }
        local job = fixture.plan({ level = "L3" }).jobs[1]
        local run, region = job.runs[1], job.points[1].region
        local counts, absent = {}, {}
        for slice = 0, 1 do
            local counter = run.counters.ASSAY_CBOX[("CBOX%dC0:OPCODE=0x182"):format(slice)]
            counts[run.counters.ASSAY_CBOX[("CBOX%dC2:OPCODE=0x182"):format(slice)]] = 0
            counts[counter] = lines[slice + 1]
            absent[counter] = not counts[counter] and "dash" or nil
        end
        local found = {}
        for _, sample in ipairs(samples.read {
            machine = machine,
            node = node,
            kernels = fixture.kernels(),
            groups = fixture.groups(),
            job = job,
            run = run,
            rep = 1,
            regions = { [region] = { { cpu = 0, seconds = 1, calls = 1, counts = counts, absent = absent } } },
        }) do
            if sample.group == "ASSAY_CBOX" and sample.point == region then
                found[sample.metric] = sample
            end
        end
        return found
    end

    it("are one per slice of the node, and a sum without absent slices", function()
        local found = read { 1000, 500 }
        assert.near(1500 * 64e-9, found["CBOX data reads volume"].measured, 1e-15)
        assert.near(500 * 64e-9, found["CBOX1 data reads volume"].measured, 1e-15)
        assert.is_nil(found["CBOX2 data reads volume"])
        assert.near(found["CBOX data reads volume"].expected.value / 2, found["CBOX1 data reads volume"].expected.value, 1e-15)
        assert.near(found["CBOX data reads volume"].work / 2, found["CBOX1 data reads volume"].work, 1e-15)
    end)

    it("have no sum if a present slice gave no value", function()
        local found = read { 1000 }
        assert.near(1000 * 64e-9, found["CBOX0 data reads volume"].measured, 1e-15)
        assert.is_nil(found["CBOX1 data reads volume"].measured)
        assert.equal("dash", found["CBOX1 data reads volume"].why)
        assert.is_nil(found["CBOX data reads volume"].measured)
        assert.equal("dash", found["CBOX data reads volume"].why)
    end)

    it("leave out a slice that another socket has: the others carry all lines, and the sum is theirs", function()
        local whole = read({ 1000, 500 })["CBOX data reads volume"]
        for _, count in ipairs { 0, 1e12 } do -- silent, impossible
            local found = read({ 1500, count }, { "CBOX1" })
            assert.same({ whole.measured, whole.expected.value },
                { found["CBOX data reads volume"].measured, found["CBOX data reads volume"].expected.value })
            assert.same({ whole.measured, whole.expected.value, whole.work }, { found["CBOX0 data reads volume"].measured,
                found["CBOX0 data reads volume"].expected.value, found["CBOX0 data reads volume"].work })
            assert.is_nil(found["CBOX1 data reads volume"])
        end
        local other = read({ 1000, 500 }, { "MBOX1" }) -- a box of another kind
        assert.same(whole.measured, other["CBOX data reads volume"].measured)
        assert.near(whole.expected.value / 2, other["CBOX1 data reads volume"].expected.value, 1e-15)
    end)
end)

describe("formula.text", function()
    local function again(text)
        return formula.text(formula.parse(text))
    end

    it("has only the necessary parentheses, and the same value", function()
        assert.equal("1e-09*(a+b)*64/time", again "1.0E-09*(a+b)*64.0/time")
        assert.equal("a-(b-c)", again "a-(b-c)")
        assert.equal("a/(b*c)+d", again "a/(b*c)+d")
        assert.equal("(0-(a+b))*0.1", again "-(a+b)*0.1")
    end)
end)
