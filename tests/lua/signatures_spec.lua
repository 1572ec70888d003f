-- signatures_spec.lua - signatures exported for other tools and evaluated again: rules and metrics agree with the thresholds.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local lists = require "input.lists"
local signatures = require "exchange.signatures.signatures"

local function term(group, metric)
    return { group = group, metric = metric, name = metric }
end

local function above(low, high, more)
    local test = { present_is = "above", value = (low + high) / 2, band = { low = low, high = high }, domain = {} }
    return lists.merge(test, more)
end

local MISPREDICTED = above(0.01, 0.05, { quantity = term("ASSAY_BRANCH", "Branch misprediction ratio"), domain = { most = 1 } })
local PAST = above(0.1, 0.25, { quantity = term("ASSAY_HITS", "Loads past L2 per instruction") })
local PAGES = above(0.2, 0.75, {
    quantity = term("ASSAY_TLB", "Second-level TLB hits of loads"),
    plus = term("ASSAY_TLB", "Page walks of loads"),
    per = term("ASSAY_HITS", "Loads past L2"),
})
local INSTRUCTIONS, OPERATIONS = term("ASSAY_SYNC", "Instructions"), term("ASSAY_AVX", "AVX operations")
local NARROW = above(0.1, 0.3, { present_is = "below", quantity = OPERATIONS, per = INSTRUCTIONS })
local VOLUME = above(10, 30, { quantity = term("ASSAY_MEM", "iMC bandwidth"), domain = { threads = { min = 1, max = 2 } } })
local SPREAD = above(1.5, 2.5, { quantity = OPERATIONS, spread = true, domain = { threads = { min = 2, max = 2 } } })
local TAKEN = above(1, 2, { quantity = term("ASSAY_SHARING", "Reads of lines modified in this socket"), per = INSTRUCTIONS })

local COSTS = "mispredicted branches = 15 .. 20; virtual branch; a book"

-- A record of signatures, { [pattern] = tests }, whose metrics all have that verdict.
local function record(of, verdict)
    local found = { node = { kind = "virtual", arch = "haswellEP", name = "haswellEP-1x2" }, faults = {}, metrics = {}, samples = {},
        matrix = { signatures = {} } }
    local names = {}
    for name in pairs(of) do
        names[#names + 1] = name
    end
    table.sort(names)
    for _, name in ipairs(names) do
        table.insert(found.matrix.signatures, { pattern = name, title = "About {{" .. name .. "}}", tests = of[name] })
        for _, test in ipairs(of[name]) do
            for _, key in ipairs { "quantity", "plus", "per" } do
                if test[key] then
                    table.insert(found.metrics, { group = test[key].group, metric = test[key].metric, verdict = verdict or "validated",
                        class = "exact", tolerance_pct = 1, n = 2, code = "c", errata = {} })
                end
            end
        end
    end
    return { file = "r.json", record = found }
end

local function make(records, format)
    local groups, seen = {}, {}
    for _, entry in ipairs(fixture.machine().traffic) do
        local file = ("groups/haswellEP/%s.txt"):format(entry.group)
        groups[#groups + 1] = not seen[file] and { arch = "haswellEP", file = file, text = fixture.text(file) } or nil
        seen[file] = true
    end
    return signatures.make { records = records, groups = groups, events = fixture.text "groups/haswellEP/pmu.events", format = format,
        machine = fixture.machine(), patterns = { fixture.pattern "control_flow", fixture.pattern "false_sharing" }, costs = COSTS,
        limit = 0.05 }
end

-- A record of a pattern with the metrics that its share needs.
local function priced(pattern, verdict)
    local one = record({ [pattern] = { MISPREDICTED } })
    for group, metrics in pairs { ASSAY_BRANCH = { "Mispredicted branches" }, ASSAY_AVX = { "CPI" }, ASSAY_SYNC = { "Instructions" } } do
        for _, metric in ipairs(metrics) do
            table.insert(one.record.metrics, { group = group, metric = metric, verdict = verdict or "validated", class = "exact",
                tolerance_pct = 1, n = 2, code = "c", errata = {} })
        end
    end
    return one
end

local function evaluate(text, environment)
    return assert(load("return " .. text:gsub("&&", " and "):gsub(" & ", " and "), "rule", "t", environment))()
end

-- The answer of a ClusterCockpit rule for a job; nil if its requirements are not met.
local function classify(rule, averages, cores)
    local environment = { job = { numCores = cores or 1 } }
    for _, name in ipairs(rule.metrics) do
        environment[name] = { avg = assert(averages[name], name) }
    end
    for _, requirement in ipairs(rule.requirements) do
        if not evaluate(requirement, environment) then
            return nil
        end
    end
    for _, variable in ipairs(rule.variables) do
        environment[variable.name] = evaluate(variable.expr, environment)
    end
    return evaluate(rule.rule, environment)
end

describe("a rule of ClusterCockpit", function()
    local function rules(of)
        local made = make({ record(of) }, "clustercockpit")
        local by_name = {}
        for _, file in ipairs(made.files) do
            by_name[file.name] = file.value
        end
        return by_name, made.notes
    end

    it("holds beyond the band, but not in the band or for impossible values", function()
        local rule = rules { control_flow = { MISPREDICTED } }["assay_control_flow.json"]
        assert.equal("assay_control_flow", rule.tag)
        assert.same({ "branch_misprediction_ratio" }, { table.unpack(rule.metrics) })
        for value, holds in pairs { [0.05] = true, [0.049] = false, [0.005] = false, [1] = true, [1.01] = false } do
            assert.equal(holds, classify(rule, { branch_misprediction_ratio = value }))
        end
        assert.same({ "virtual", "haswellEP" }, { rule.assay.kind, rule.assay.arch })
        assert.truthy(rule.name:find("virtual node haswellEP-1x2, no evidence about silicon", 1, true))
        assert.truthy(rule.hint:find("{{.test_1}}", 1, true))
        assert.is_nil(rule.hint:find("{{control", 1, true))
    end)

    it("adds, divides and requires all tests of a signature", function()
        local rule = rules { latency_bound = { PAST, PAGES } }["assay_latency_bound.json"]
        local function of(past, hits, walks)
            return classify(rule, { loads_past_l2_per_instruction = past, second_level_tlb_hits_of_loads = hits,
                page_walks_of_loads = walks, loads_past_l2 = 100 })
        end
        assert.is_true(of(0.3, 40, 40))
        assert.is_false(of(0.3, 40, 30))
        assert.is_false(of(0.2, 40, 40))
    end)

    it("can hold below a threshold, and requires the validated numbers of threads", function()
        local found = rules { narrow = { NARROW }, volume = { VOLUME } }
        assert.is_true(classify(found["assay_narrow.json"], { avx_operations = 10, instructions = 100 }))
        assert.is_false(classify(found["assay_narrow.json"], { avx_operations = 11, instructions = 100 }))
        assert.is_true(classify(found["assay_volume.json"], { imc_bandwidth = 30 }, 2))
        assert.is_nil(classify(found["assay_volume.json"], { imc_bandwidth = 30 }, 3))
    end)

    it("says how the records' nodes differ", function()
        local one, two = record { control_flow = { MISPREDICTED } }, record { control_flow = { MISPREDICTED } }
        one.record.node.numa_per_socket, two.record.node.numa_per_socket = 1, 2
        assert.equal("node state differs: NUMA domains of a socket 1 (r.json), 2 (r.json)",
            make({ one, two }, "clustercockpit").files[1].value.assay.node_state)
    end)

    it("does not exist for values that averages of a job cannot give", function()
        local found, notes = rules { load_imbalance = { SPREAD } }
        assert.is_nil(next(found))
        assert.truthy(notes[1]:find("load_imbalance: not given: .*average"))
    end)
end)

describe("a metric of perf", function()
    local function metrics(of)
        local made = make({ record(of) }, "perf")
        local by_name = lists.index(made.files[1].value, "MetricName")
        return by_name, made.notes
    end

    it("has the events' codes and a threshold", function()
        local found = metrics { control_flow = { MISPREDICTED } }.assay_control_flow
        assert.equal("(cpu@event\\=0xc5\\,umask\\=0x0@/cpu@event\\=0xc4\\,umask\\=0x0@)", found.MetricExpr)
        assert.equal("assay_control_flow > 0.05", found.MetricThreshold)
        assert.truthy(found.PublicDescription:find("no evidence about silicon", 1, true))
    end)

    it("is several metrics for several tests; the first has the threshold for all", function()
        local found = metrics { latency_bound = { PAST, PAGES } }
        local counts = { ["cpu@event\\=0x8\\,umask\\=0x60@"] = 3, ["cpu@event\\=0x8\\,umask\\=0x1@"] = 5,
            ["cpu@event\\=0xd1\\,umask\\=0x4@"] = 1, ["cpu@event\\=0xd1\\,umask\\=0x20@"] = 3 }
        local second = found.assay_latency_bound_2
        assert.equal((3 + 5) / (1 + 3), evaluate(second.MetricExpr:gsub("cpu@[^@]*@", counts), {}))
        assert.is_nil(second.MetricThreshold)
        for past, holds in pairs { [0.26] = true, [0.24] = false } do
            local values = { assay_latency_bound = past, assay_latency_bound_2 = 0.8 }
            assert.equal(holds, evaluate(found.assay_latency_bound.MetricThreshold, values))
        end
    end)

    it("has generic events for fixed counters and the bits of offcore responses", function()
        local found = metrics { taken = { TAKEN }, narrow = { NARROW } }
        assert.equal("cpu@event\\=0xb7\\,umask\\=0x1\\,offcore_rsp\\=0x10003c0001@ / instructions", found.assay_taken.MetricExpr)
        assert.equal("assay_narrow < 0.1", found.assay_narrow.MetricThreshold)
    end)

    it("does not exist for events that perf cannot express, or for several threads", function()
        local found, notes = metrics { volume = { VOLUME }, spread = { SPREAD } }
        assert.is_nil(next(found))
        assert.equal(2, #notes)
    end)
end)

describe("a share of the run time", function()
    it("is a rule for events at their cost in the cycles", function()
        local made = make({ priced "control_flow" }, "clustercockpit")
        assert.same({ "assay_control_flow.json", "assay_control_flow_share.json" }, lists.map(made.files, "name"))
        local rule = made.files[2].value
        -- 1000 instructions at a CPI of 2: 6.67 mispredictions of 15 cycles are 5 % of 2000 cycles
        for mispredicted, holds in pairs { [7] = true, [6] = false } do
            assert.equal(holds, classify(rule, { mispredicted_branches = mispredicted, cpi = 2, instructions = 1000 }))
        end
        assert.truthy(rule.hint:find("as documented: a book", 1, true))
    end)

    it("is two metrics of perf, the lower one with a threshold", function()
        local found = lists.index(make({ priced "control_flow" }, "perf").files[1].value, "MetricName")
        local counts = { ["cpu@event\\=0xc5\\,umask\\=0x0@"] = 3 }
        for name, cycles in pairs { least = 3 * 15, most = 3 * 20 } do
            local expression = found["assay_control_flow_share_" .. name].MetricExpr:gsub("cpu@[^@]*@", counts)
            assert.near(cycles / 900, evaluate(expression, { cycles = 900 }), 1e-12)
        end
        assert.equal("assay_control_flow_share_least > 0.05", found.assay_control_flow_share_least.MetricThreshold)
        assert.is_nil(found.assay_control_flow_share_most.MetricThreshold)
    end)

    it("needs no threshold between controls, but validated metrics", function()
        local one = priced "control_flow"
        one.record.matrix.signatures[1].why = "its controls are not clearly apart"
        assert.same({ "assay_control_flow_share.json" }, lists.map(make({ one }, "clustercockpit").files, "name"))
        local made = make({ priced("control_flow", "rejected") }, "clustercockpit")
        assert.same({ "assay_control_flow.json" }, lists.map(made.files, "name"))
        assert.equal("control_flow: no share of the run time: Mispredicted branches of ASSAY_BRANCH is not validated in these records",
            made.notes[1])
    end)

    it("does not exist for a pattern whose events may be something else", function()
        assert.equal(1, #make({ priced "false_sharing" }, "clustercockpit").files)
    end)

    it("is in the table and in JSON", function()
        assert.truthy(make({ priced "control_flow" }, "table").table:find(
            "control_flow, share of the run time: 15 .. 20 * Mispredicted branches / (CPI * Instructions)\n", 1, true))
        local share = make({ priced "control_flow" }, "json").files[1].value.signatures[1].share
        assert.same({ 15, 20, "a book", "Mispredicted branches" }, { share.low, share.high, share.source, share.quantity.metric })
    end)
end)

describe("signatures", function()
    it("are exported for validated metrics only", function()
        for _, verdict in ipairs { "correctable", "qualitative", "rejected", "missing", "unresolved", "untested" } do
            local made = make({ record({ control_flow = { MISPREDICTED } }, verdict) }, "json")
            assert.equal(0, #made.files[1].value.signatures)
            assert.truthy(made.notes[1]:find("control_flow: not given: Branch misprediction ratio of ASSAY_BRANCH: ", 1, true))
        end
        local one = record { control_flow = { MISPREDICTED } }
        one.record.metrics = {}
        assert.truthy(make({ one }, "json").notes[1]:find "not judged")
    end)

    it("take verdicts from all records, and thresholds from the last record with a matrix", function()
        local first, second = record { control_flow = { MISPREDICTED } }, record { control_flow = { PAST } }
        second.record.matrix = nil
        assert.equal(0.05, make({ first, second }, "json").files[1].value.signatures[1].tests[1].band.high)
        local third = record { control_flow = { PAST } }
        assert.equal(0.25, make({ first, third }, "json").files[1].value.signatures[1].tests[1].band.high)
        third.record.metrics[1].verdict = "rejected"
        assert.equal(0, #make({ first, third }, "json").files[1].value.signatures)
    end)

    it("are not exported if they cannot give an answer, and the reason is given", function()
        local one = record { control_flow = { MISPREDICTED } }
        one.record.matrix.signatures[1].why = "its controls are not clearly apart"
        assert.truthy(make({ one }, "table").table:find("control_flow: not given: its controls are not clearly apart", 1, true))
    end)

    it("refuse records of two kinds, with faults, or without signatures", function()
        local native, faulty, none = record { control_flow = { MISPREDICTED } }, record { control_flow = { MISPREDICTED } }, record {}
        native.record.node.kind, faulty.record.faults = "native", { "X scale 2" }
        assert.has_error(function() make({ native, record { control_flow = { MISPREDICTED } } }, "json") end)
        assert.has_error(function() make({ faulty }, "json") end)
        assert.has_error(function() make({ none }, "json") end)
    end)
end)
