-- Which nodes of a fleet count differently (lua/fleet/judge.lua), and how the outputs show it (lua/fleet/report/).
local csv = require "fleet.report.csv"
local fleet = require "fleet.judge"
local health = require "fleet.health"
local junit = require "fleet.report.junit"
local openmetrics = require "fleet.report.openmetrics"
local page = require "fleet.report.page"
local synthetic = require "tests.lua.fleet_synthetic"
local text = require "fleet.report.text"

local function judge(nodes, metrics, tolerance)
    local collection = synthetic.collection(nodes, metrics, tolerance)
    return fleet.judge { collection = collection, false_alarms = 0.01 }, collection
end

-- `count` nodes that count the same, and the given further ones.
local function same(count, further)
    local nodes = {}
    for i = 1, count do
        nodes[i] = synthetic.node(("n%02d"):format(i), { 0.0, 1.0 })
    end
    return table.move(further or {}, 1, #(further or {}), count + 1, nodes)
end

local function named(found)
    local hosts = {}
    for _, entry in ipairs(found.nodes) do
        if entry.differs then
            hosts[#hosts + 1] = entry.host
        end
    end
    return hosts
end

describe("a fleet", function()
    it("has no node that differs if all count the same", function()
        local found = judge(same(6), 2)
        assert.are.equal(0, found.differ)
        assert.are.equal(12, found.tests)
        assert.are.equal(1, #found.groups)
    end)

    it("names the node that is off by more than a quarter of the tolerance among identical nodes", function()
        assert.are.same({ "odd" }, named(judge(same(6, { synthetic.node("odd", { 0.0, 1.026 }) }), 2)))
        assert.are.same({ "odd" }, named(judge(same(6, { synthetic.node("odd", { 0.0, 0.974 }) }), 2)))
        assert.are.same({}, named(judge(same(6, { synthetic.node("odd", { 0.0, 1.024 }) }), 2)))
    end)

    it("gives the deviation in multiples of the limit", function()
        local found = judge(same(6, { synthetic.node("odd", { 0.0, 1.1 }) }), 2)
        assert.are.equal(2, found.nodes[1].outliers[1].metric)
        assert.are.near(4, found.nodes[1].outliers[1].ratio, 1e-9)
    end)

    it("names the node with the worse verdict if there are two", function()
        local found = judge({ synthetic.node("a", { 50 }, "b"), synthetic.node("b", { 0 }, "a") }, 1)
        assert.are.same({ "a" }, named(found))
        assert.are.same({ metric = 1, verdict = "correctable", usual = "validated" }, found.nodes[1].verdicts[1])
        assert.are.equal(0, found.tests)
        -- the same values with other verdicts are no node's fault
        assert.are.same({}, named(judge({ synthetic.node("a", { 0.001 }, "b"), synthetic.node("b", { 0 }, "a") }, 1)))
    end)

    it("names a node without a value that its peers have", function()
        local found = judge(same(6, { synthetic.node("mute", { 0.0, nil }, "ag") }), 2)
        assert.are.same({ "mute" }, named(found))
        assert.are.equal("missing", found.nodes[1].verdicts[1].verdict)
    end)

    it("lists verdicts that differ by noise, and blames no node", function()
        local found = judge(same(6, { synthetic.node("edge", { 0.001, 1.0 }, "fa") }), 2)
        assert.are.equal(0, found.differ)
        assert.are.same({ { metric = 1, usual = "validated", others = { { verdict = "rejected", hosts = { "edge" } } } } }, found.unstable)
    end)

    it("groups by state, and compares small groups with the largest one of their family", function()
        local found = judge(same(6, { synthetic.node("new", { 0.0, 1.5 }, nil, { microcode = "0x50" }),
            synthetic.node("other", { 0.0, 1.5 }, nil, { arch = "otherEP" }) }), 2)
        assert.are.equal(3, #found.groups)
        assert.are.same({ "new" }, named(found))
        assert.are.equal(1, found.groups[2].reference)
        assert.are.same({ { family = found.groups[1].family, key = "microcode", value = "0x50", of = 1, others = 0, among = 6 } },
            found.separates)
    end)

    it("reports that a large group in another state counts differently, and blames none of its nodes", function()
        local others = {}
        for i = 1, 5 do
            others[i] = synthetic.node("s" .. i, { 0.0, 3.0 }, nil, { numa_per_socket = 4 })
        end
        local found = judge(same(6, others), 2)
        assert.are.equal(0, found.differ)
        assert.are.same({ { metric = 2, median = 3.0, other = 1.0 } }, found.groups[2].distance)
    end)

    it("finds the property that only the differing nodes have, not one that many others share", function()
        local odd = { synthetic.node("x", { 0.0, 2.0 }, nil, { kernel = "odd", governor = "performance" }),
            synthetic.node("y", { 0.0, 2.0 }, nil, { kernel = "odd", governor = "performance" }) }
        local nodes = same(8, odd)
        for i = 1, 8 do
            nodes[i].node.governor = "performance"
        end
        local found = judge(nodes, 2)
        assert.are.equal(1, #found.separates)
        assert.are.equal("kernel", found.separates[1].key)
        assert.are.equal(2, found.separates[1].of)
        nodes[10].node.kernel = "another" -- a property of only one of the two separates nothing
        assert.are.same({}, judge(nodes, 2).separates)
    end)

    it("lists blame of one node, not blame that all nodes have", function()
        local nodes = same(4, { synthetic.node("odd", { 0.0, 2.0 }) })
        for i, node in ipairs(nodes) do
            node.blame = { ("E counts %.3f times"):format(1.5 + i / 1000) }
        end
        table.insert(nodes[5].blame, "F counts 2.000 times")
        assert.are.same({ "F counts 2.000 times" }, judge(nodes, 2).nodes[1].blame)
    end)

    it("finds five wrong nodes of 300 by noise of all sizes and no other, ten times", function()
        local alarms = 0
        for seed = 1, 10 do
            local random, nodes, sizes = synthetic.random(seed), {}, {}
            for metric = 1, 20 do
                sizes[metric] = metric % 3 == 0 and 0 or 0.005 * metric
            end
            for i = 1, 300 do
                local values = {}
                for metric = 1, 20 do
                    local noise = metric % 5 == 0 and random.exponential() or random.normal()
                    values[metric] = sizes[metric] * noise
                end
                if i % 60 == seed then
                    local metric = (i // 60) * 4 + 1
                    values[metric] = values[metric] + 0.3 + 25 * sizes[metric]
                end
                nodes[i] = synthetic.node(("n%03d"):format(i), values)
            end
            local found = judge(nodes, 20)
            local wrong = 0
            for _, host in ipairs(named(found)) do
                if tonumber(host:sub(2)) % 60 == seed then
                    wrong = wrong + 1
                else
                    alarms = alarms + 1
                end
            end
            assert.are.equal(5, wrong, "seed " .. seed)
        end
        assert.is_true(alarms <= 1, alarms .. " false alarms")
    end)
end)

describe("the outputs of a fleet", function()
    local nodes = same(4, { synthetic.node('<odd>"&', { 0.0, 1.1 }, "aa"), synthetic.node("mute", { 0.0, nil }, "ag") })
    local found, collection = judge(nodes, 2)
    collection.status = { { host = "dead", state = "unavailable", why = "its node is down" },
        { host = "gone", state = "lost", why = "killed" } }
    collection.broken = { { host = "torn", why = "torn.json:1: end of file" } }
    local argument = { collection = collection, found = found, width = 100, style = "", program = "" }

    it("name on the terminal the nodes that differ and those without a record", function()
        local said = text.render(argument).text
        for _, words in ipairs { "fleet of 6 nodes with a record: 6 native, 0 virtual", "3 nodes without a record",
            "dead: unavailable, its node", "gone: lost, killed", "torn: broken record, left out", "2 nodes count differently",
            "M2 of c2, S0:1 (p): +1.1 %", "missing, elsewhere validated" } do
            assert.is_truthy(said:find(words, 1, true), words)
        end
    end)

    it("are well-formed for machines", function()
        local said = junit.render(argument).text
        assert.is_truthy(said:find('name="&lt;odd&gt;&quot;&amp;"', 1, true))
        assert.is_truthy(said:find('failures="2"', 1, true))
        assert.is_truthy(said:find('tests="3" failures="0" errors="2" skipped="1"', 1, true))
        said = openmetrics.render(argument).text
        assert.is_truthy(said:find('assay_node_outliers{host="<odd>\\"&",kind="native",arch="anyEP"} 1\n', 1, true))
        assert.is_truthy(said:find('assay_node_up{host="torn"} 0\n', 1, true))
        assert.is_truthy(said:find("# EOF\n$"))
        said = csv.render(argument).text
        assert.is_truthy(said:find("p/c2/-/S0:1/G/M2\n", 1, true))
        assert.is_truthy(said:find("\nmute,native,1,0,1,0,,,,,,1,1,,5.2.2,0x49,,likwid,0,\n", 1, true))
    end)

    it("are a page whose cells show tenths of the limit", function()
        local said = page.render(argument).text
        assert.is_nil(said:find("<odd>", 1, true))
        -- 4 limits above are beyond the scale; the middle is U; no value is -
        assert.is_truthy(said:find('"cells":"Uy"', 1, true))
        assert.is_truthy(said:find('"cells":"U-"', 1, true))
        assert.is_truthy(said:find('"cells":"UU"', 1, true))
    end)
end)

describe("a health check", function()
    local function record(verdict, average, node)
        return { node = node or { kind = "native", name = "n1", arch = "anyEP" }, seconds = 3, failures = {}, metrics = {
            { pattern = "p", code = "c", metric = "M", verdict = verdict, tolerance_pct = 1, error_pct = { avg = average } } } }
    end
    local function compare(own, reference)
        return health.compare { record = own, reference = reference, file = "ref.json" }
    end

    it("is good within the tolerance around the reference, whatever the model expects", function()
        assert.is_true(compare(record("rejected", 50.9), record("rejected", 50)).good)
        assert.are.equal("ok: native node n1: 1 metrics, compared with ref.json, 3 s",
            compare(record("validated", 0), record("validated", 0)).text)
        assert.is_false(compare(record("rejected", 51.1), record("rejected", 50)).good)
        assert.is_false(compare(record("correctable", 0), record("validated", 0)).good)
        assert.is_true(compare(record("validated", 0), record("correctable", 0)).good)
    end)

    it("uses the models alone without a reference", function()
        assert.is_true(compare(record("correctable", 50)).good)
        assert.is_false(compare(record("missing")).good)
    end)

    it("is bad if a run failed", function()
        local own = record("validated", 0)
        own.failures[1] = { why = "no counters" }
        assert.is_truthy(compare(own).text:find("bad: native node n1: .*1 runs failed: no counters"))
    end)

    it("refuses a reference of another kind, or without its metrics", function()
        local other = record("validated", 0, { kind = "virtual", name = "v", arch = "anyEP" })
        assert.has_error(function() compare(record("validated", 0), other) end,
            "--reference ref.json: of a node whose kind is virtual, this one's is native; name a record of the same")
        local empty = record("validated", 0)
        empty.metrics = {}
        assert.has_error(function() compare(record("validated", 0), empty) end,
            "--reference ref.json: no metric of the check is in it; make it with the same patterns")
    end)
end)
