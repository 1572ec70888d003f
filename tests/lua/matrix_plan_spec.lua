-- matrix_plan_spec.lua - what --matrix runs: the controls, or the requested ones of them, each with the events of all signatures.
-- SPDX-License-Identifier: GPL-3.0-or-later
local controls = require "plan.controls"
local fixture = require "fixture"
local plan = require "plan.plan"

local function make(name, options, beside)
    local patterns = { fixture.pattern(name) }
    for _, other in ipairs(beside or { "split_loads", "false_sharing" }) do
        patterns[#patterns + 1] = fixture.pattern(other)
    end
    options.matrix = options.matrix ~= false
    return plan.make({ patterns = patterns, machine = fixture.machine(), node = fixture.node(),
        kernels = fixture.kernels(), groups = fixture.groups(), options = options })[1]
end

-- Codes of the jobs by level and placement, { ["MEM S0:2"] = "copy load" }; and the number of points.
local function codes_of(planned)
    local seen, points = {}, 0
    for _, job in ipairs(planned.jobs) do
        local place = (job.level and job.level .. " " or "") .. job.placement
        seen[place] = seen[place] or {}
        for _, point in ipairs(job.points) do
            seen[place][point.code], points = true, points + 1
        end
    end
    local texts = {}
    for place, codes in pairs(seen) do
        local names = {}
        for code in pairs(codes) do
            names[#names + 1] = code
        end
        table.sort(names)
        texts[place] = table.concat(names, " ")
    end
    return texts, points
end

-- Is the event in one of the runs of each job?
local function all_hold(planned, wanted)
    for _, job in ipairs(planned.jobs) do
        local has = false
        for _, run in ipairs(job.runs) do
            for _, event in ipairs(run.events) do
                has = has or event.event == wanted
            end
        end
        if not has then
            return false
        end
    end
    return #planned.jobs > 0
end

describe("the plan of a matrix", function()
    it("has only the codes of controls; with --quick only one streaming kernel per kind of traffic", function()
        local cached = "copy daxpy ddot load store stream triad"
        assert.same({ ["MEM S0:2"] = "copy copy_nt daxpy ddot load store store_nt stream stream_nt triad triad_nt", ["L2 S0:1"] = cached },
            (codes_of(make("bandwidth_saturation", {}))))
        assert.same({ ["MEM S0:2"] = "copy copy_nt load", ["L2 S0:1"] = "copy load" },
            (codes_of(make("bandwidth_saturation", { quick = true }))))
        assert.same({ ["S0:2"] = "apart together" }, (codes_of(make("false_sharing", {}))))
        assert.same({ ["S0:2"] = "apart in_turn together" }, (codes_of(make("false_sharing", { matrix = false }))))
    end)

    it("has quick points only under --quick", function()
        local _, all = codes_of(make("false_sharing", {}))
        local _, quick = codes_of(make("false_sharing", { quick = true }))
        assert.same({ 4, 2 }, { all, quick })
    end)

    it("has the events of all signatures in each job; without --matrix only the pattern's own", function()
        for _, name in ipairs { "bandwidth_saturation", "false_sharing", "excess_volume" } do
            local planned = make(name, { quick = true })
            for _, event in ipairs { "MEM_UOPS_RETIRED_LOADS_SPLIT", "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HITM", "INSTR_RETIRED_ANY" } do
                assert.is_true(all_hold(planned, event), name .. " " .. event)
            end
            assert.is_false(all_hold(make(name, { quick = true, matrix = false }), "MEM_UOPS_RETIRED_LOADS_SPLIT"))
        end
    end)

    it("needs only one run if the events of all signatures fit into it", function()
        local alone = make("excess_volume", { quick = true }, {})
        local beside = make("excess_volume", { quick = true }, { "split_loads" })
        assert.equal(#alone.jobs[1].runs, #beside.jobs[1].runs)
    end)
end)

describe("a declared pair", function()
    it("names patterns of the suite that have controls", function()
        local names, count = io.popen "ls patterns/*.lua", 0
        for file in names:lines() do
            for _, also in ipairs(fixture.pattern(file:match "([^/]+)%.lua$").also or {}) do
                assert.is_table(fixture.pattern(also.pattern).controls)
                count = count + 1
            end
        end
        names:close()
        assert.is_true(count > 0)
    end)
end)

describe("a control", function()
    it("may consist of several codes", function()
        local control = { level = "L2", codes = { "load", "copy" } }
        assert.is_true(controls.is_of({ code = "copy", level = "L2" }, control))
        assert.is_false(controls.is_of({ code = "store", level = "L2" }, control))
        assert.is_false(controls.is_of({ code = "copy", level = "MEM" }, control))
    end)
end)
