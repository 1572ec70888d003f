-- run.lua - the detection matrix: injects every fault of matrix.lua into every quantity of a node and checks that the verdict names it.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--     lua5.4 tests/detection/run.lua [--node NODE] [--made] [--quick] [--series TEXT] [--jobs N] [--noise LEVEL [--reps N]]
--
-- from the project's folder; BUILD as for make. --made: rows from a clean run (series.lua) even if the architecture has listed ones.
-- --noise: on a noisy node (docs/noise.md), with at least REPS repetitions, or --reps.
--
-- Exit status 1 if a fault is missed or misnamed, an untouched metric has a finding, or a clean run has one.
package.path = "tests/detection/?.lua;tests/lua/?.lua;lua/?.lua;" .. package.path
local campaign = dofile "tests/campaign.lua"
local fixture = require "fixture"
local formula = require "input.formula"
local group_file = require "input.group"
local lists = require "input.lists"
local matrix = require "matrix"
local nodes = require "nodes"
local plan = require "plan.plan"
local series_of = require "series"
local vocabulary = require "judge.vocabulary"

local CLOSE = 0.01 -- fitted constants against injected ones
local SPIKES = 0.15 -- share of regions with a spike
local REPS = 5 -- on a noisy node: the judge needs 3 undisturbed ones, and more to find a disturbed one
local BUILD = campaign.BUILD
local KINDS = { node = "text", series = "text", noise = "text", jobs = "number", reps = "number", made = "flag", quick = "flag" }

-- Groups ---------------------------------------------------------------------------------------------------------------------------

local found_nodes = {}

-- The description of the row's node (nodes.lua).
local function node_of(row)
    found_nodes[row.node] = found_nodes[row.node] or nodes.find(row.node)
    return found_nodes[row.node]
end

local function group_named(row, name)
    return node_of(row).groups[name] or error(("%s has no group %s"):format(node_of(row).arch, name), 0)
end

local function metric_of(row, entry)
    local name = vocabulary.in_group(entry.metric)
    return group_file.metric(group_named(row, entry.group), name) or error(("group %s has no metric %s"):format(entry.group, name), 0)
end

local ONE = setmetatable({}, { __index = function() return 1 end }) -- any counts will do: the set of metrics does not depend on them

-- A kernel for any name, for plans in which only the counters matter. Functions come from fixture.lua, because models use their passes.
local function any_kernels()
    local known = fixture.kernels()
    return setmetatable({}, {
        __index = function(_, name)
            return name:find ":" and known[name] or { name = name, elements_per_pass = 1, bytes_per_element = 8,
                streams = { { loads = true } }, loads_per_pass = 1, stores_per_pass = 0,
                parts = { once = ONE, sweep = ONE, constant = ONE, pass = ONE } }
        end,
    })
end

-- Counters of the runs that measure a row: { [group] = { [counter in the group's file] = counter in the run } } of each run.
local function counters_of_runs(row)
    if row.counters then
        return row.counters
    end
    local on = node_of(row)
    local planned = plan.make({ patterns = { fixture.pattern(row.pattern) }, machine = on.machine, node = on.node, kernels = any_kernels(),
        groups = on.all_groups, options = { quick = row.quick_points } })[1]
    row.counters = {}
    for _, job in ipairs(planned.jobs) do
        local is_own = job.level == row.level and (row.placement == nil or job.placement == row.placement)
        for _, run in ipairs(is_own and job.runs or {}) do
            row.counters[#row.counters + 1] = run.counters
        end
    end
    return row.counters
end

-- The counter that replaces one of the group's file; in the file, options may follow its name.
local function counter_for(counters, wanted)
    for counter, taken in pairs(counters or {}) do
        if counter:match "^%w+" == wanted then
            return taken:match "^%w+"
        end
    end
    return nil
end

-- The counter on which the row's event is really counted.
local function counter_in_run(row)
    for _, counters in ipairs(counters_of_runs(row)) do
        local taken = counter_for(counters[row.group], row.counter)
        if taken then
            return taken
        end
    end
    error(("no run of %s counts %s of %s"):format(row.name, row.counter, row.group), 0)
end

-- Whether a group's event is counted on `counter` in some run.
local function is_counted_on(row, name, event, counter)
    for _, counters in ipairs(counters_of_runs(row)) do
        if counter_for(counters[name], event.counter) == counter then
            return true
        end
    end
    return false
end

-- The events of a group that the fault changes.
local function is_hit(series, fault, name, event)
    if fault.line:find "^%$EVENT" then
        return lists.contains(series.events, event.event)
    elseif fault.line:find "^%$COUNTER" then
        return is_counted_on(series, name, event, counter_in_run(series))
    end
    return event.counter:find("^" .. series.box .. "%f[%D]") ~= nil
end

-- Does the metric use a count that the fault changes?
local function is_affected(series, fault, entry)
    for _, event in ipairs(group_file.events_of(group_named(series, entry.group), metric_of(series, entry))) do
        if is_hit(series, fault, entry.group, event) then
            return true
        end
    end
    return false
end

-- The metric's value for one count on each counter of the series' events, and the number of these counters.
local function metric_per_count(series)
    local values, counters = {}, 0
    for _, event in ipairs(group_named(series, series.group).events) do
        local is_counted = lists.contains(series.events, event.event)
        values[event.name] = is_counted and 1 or 0
        counters = counters + (is_counted and 1 or 0)
    end
    return assert(formula.evaluate(metric_of(series, series).parsed or metric_of(series, series).formula, values)), counters
end

-- Runs -----------------------------------------------------------------------------------------------------------------------------

local function is_of(series, entry)
    return entry.group == series.group and entry.metric == series.metric
end

-- A run: its files and its command.
local function make_run(series, fault, options, number)
    local base = ("%s/%d"):format(options.scratch, number)
    local words = {
        BUILD .. "/assay validate",
        series.pattern,
        "--node",
        series.node,
        "--jobs 1 --reps",
        math.max(fault and fault.reps or 1, options.noise and options.reps or 1),
        "--out",
        base .. ".json",
    }
    for _, key in ipairs { "only", "level", "placement" } do
        if series[key] then
            words[#words + 1] = ("--%s %s"):format(key, series[key])
        end
    end
    if series.quick_points then
        words[#words + 1] = "--quick"
    end
    if options.noise then
        words[#words + 1] = "--noise " .. options.noise
    end
    if fault then
        words[#words + 1] = "--fault " .. base .. ".fault"
    end
    words[#words + 1] = (">%s.log 2>&1; echo $?"):format(base)
    return { series = series, fault = fault, base = base, command = table.concat(words, " ") }
end

-- Runs all of them, up to `jobs` side by side, in their order; each gets `record` and is given to `finish`.
local function run_all(runs, jobs, finish)
    local pipes = {}
    local function start(index)
        if runs[index] then
            if runs[index].text then
                campaign.write(runs[index].base .. ".fault", runs[index].text)
            end
            pipes[index] = assert(io.popen(runs[index].command))
        end
    end
    for index = 1, jobs do
        start(index)
    end
    for index, run in ipairs(runs) do
        local status = pipes[index]:read("a")
        pipes[index]:close()
        if not status:find "^[01]\n" then
            error(("%s: status %s: %s"):format(run.command, status:gsub("\n", ""), campaign.read(run.base .. ".log")), 0)
        end
        run.record = campaign.read_json(run.base .. ".json")
        start(index + jobs)
        finish(run)
        io.stdout:flush()
    end
end

-- Verdicts -------------------------------------------------------------------------------------------------------------------------

local function is_clean(entry)
    return entry.class == "exact" or entry.verdict == "skipped"
end

-- Findings in metrics that the fault does not touch; fault nil: in all metrics.
local function false_alarms(run)
    local alarms = {}
    for _, entry in ipairs(run.record.metrics) do
        if entry.metric and not is_clean(entry) and not (run.fault and is_affected(run.series, run.fault, entry)) then
            alarms[#alarms + 1] = ("%s %s: %s, %s"):format(entry.code, entry.metric, entry.class, entry.reason or entry.verdict)
        end
    end
    return alarms
end

local function is_close(value, wanted)
    return value ~= nil and math.abs(value - wanted) <= CLOSE * math.abs(wanted)
end

-- nil, or how the entry differs from what the fault must give.
local function difference(run, entry)
    local wanted, correction = run.expected, entry.correction or {}
    if wanted.class and not lists.contains(wanted.class, entry.class) then
        return ("class %s instead of %s"):format(entry.class, table.concat(wanted.class, "|"))
    elseif not lists.contains(wanted.verdict, entry.verdict) then
        return ("verdict %s instead of %s"):format(entry.verdict, table.concat(wanted.verdict, "|"))
    elseif wanted.factor and not is_close(correction.factor, wanted.factor) then
        return ("factor %.5g instead of %.5g"):format(correction.factor or 0 / 0, wanted.factor)
    elseif wanted.offset and not is_close(correction.offset, wanted.offset) then
        return ("offset %.5g instead of %.5g"):format(correction.offset or 0 / 0, wanted.offset)
    elseif wanted.reason and not (entry.reason or ""):find(wanted.reason, 1, true) then
        return ("reason '%s' without '%s'"):format(entry.reason or "", wanted.reason)
    end
    return nil
end

-- "found" | "misnamed" | "missed" | "no effect", and the details, for the worst of the series' entries (codes and placements).
local function judge(run)
    local seen = 0
    for _, entry in ipairs(run.record.metrics) do
        if is_of(run.series, entry) then
            seen = seen + 1
            local what = difference(run, entry)
            if what then
                return entry.class == "exact" and "missed" or "misnamed", what
            end
        end
    end
    if seen == 0 then
        return "missed", "the record has no such metric"
    end
    return run.has_effect and "found" or "no effect"
end

-- Injections -----------------------------------------------------------------------------------------------------------------------

-- The largest expected count of one counter of the series' event, from a clean run.
local function largest_count(series, record)
    local per_count = metric_per_count(series)
    for _, entry in ipairs(record.metrics) do
        if is_of(series, entry) then
            return entry.expected.max / per_count
        end
    end
    error(("no metric '%s' of %s in a clean run"):format(series.metric, series.group), 0)
end

local function expectation(series, fault, add)
    if fault.effect == false then
        return { class = { "exact" }, verdict = { "validated", "unresolved", "untested", "qualitative" } }
    elseif lists.contains(series.fails or {}, fault.name) then
        return { verdict = { "skipped" }, reason = "run failed" }
    elseif type(fault.class) == "string" then
        local verdicts = { multiplicative = "correctable", missing = "missing", unknown = "rejected" }
        local own = series[fault.class]
        return { class = { own.class }, verdict = { verdicts[own.class] }, factor = own.factor }
    end
    return {
        class = fault.class,
        verdict = fault.verdict,
        factor = fault.factor,
        offset = fault.offset and add * metric_per_count(series),
        reason = fault.reason,
    }
end

local function inject(series, fault, largest, options, number)
    local add, soon = math.floor(largest / 2), math.floor((series.soon or 1.5) * largest)
    local _, counters = metric_per_count(series)
    local run = make_run(series, fault, options, number)
    local words = {
        COUNTER = counter_in_run(series),
        BOX = series.box,
        OTHER = type(fault.class) == "string" and series[fault.class][1] or nil,
        ADD = tostring(add),
        P = ("%.4f"):format(1 - (1 - SPIKES) ^ (1 / counters)),
        SOON = tostring(soon),
        FROM = soon < largest and tostring(soon) or "",
        BITS = tostring(math.ceil(math.log(largest, 2))),
    }
    local lines = {}
    for index, event in ipairs(fault.line:find "%$EVENT" and series.events or { "" }) do
        words.EVENT = event
        lines[index] = fault.line:gsub("%$(%u+)", words) .. "\n"
    end
    run.text = table.concat(lines)
    run.expected = expectation(series, fault, add)
    run.has_effect = fault.effect ~= false
    return run
end

-- All rows of the node: those of its architecture's file, or made from a clean run.
local function find_series(options)
    local listed = not options.made and series_of.listed(nodes.find(options.node).arch)
    if listed then
        return listed.rows
    end
    local record = options.scratch .. "/rows.json"
    local command = ("%s/assay validate --quick --node %s --jobs %d --out %s"):format(BUILD, options.node, options.jobs, record)
    campaign.must(command)
    return series_of.made(campaign.read_json(record))
end

local function choose_series(options)
    local chosen = {}
    for _, series in ipairs(find_series(options)) do
        local name = ("%s %s %s"):format(series.pattern, series.group, series.metric)
        if (series.quick or not options.quick) and (not options.series or name:find(options.series, 1, true)) then
            series.name = ("%s: %s"):format(series.pattern, series.metric)
            series.node = series.node or options.node
            series_of.complete(series, group_named(series, series.group))
            counter_in_run(series) -- before anything is measured: refuses a row that no run counts
            chosen[#chosen + 1] = series
        end
    end
    return chosen
end

-- Runs each series once without faults, then again up to the number of runs that the matrix wants. Returns the runs and their findings.
local function run_clean(chosen, options)
    local runs, findings = {}, 0
    local count = (options.quick or options.series) and #chosen or math.max(#chosen, matrix.clean_runs)
    for number = 1, count do
        runs[number] = make_run(chosen[(number - 1) % #chosen + 1], nil, options, number)
    end
    run_all(runs, options.jobs, function(run)
        for _, alarm in ipairs(false_alarms(run)) do
            findings = findings + 1
            print(("  clean run of %s: %s"):format(run.series.name, alarm))
        end
    end)
    print(("%d clean runs: %d findings"):format(#runs, findings))
    return runs, findings
end

-- Prints one line of the matrix and adds it to `sums`.
local function report(run, sums)
    if run.series ~= sums.series then
        sums.series = run.series
        print("\n" .. run.series.name)
    end
    local word, what = judge(run)
    local alarms = false_alarms(run)
    sums[word] = sums[word] + 1
    sums.alarms = sums.alarms + #alarms
    print(("  %-13s %-45s %-9s %s"):format(run.fault.name, run.text:gsub("\n$", ""):gsub("\n", ", "), word, what or ""))
    for _, alarm in ipairs(alarms) do
        print("                false alarm: " .. alarm)
    end
end

local function make_injections(chosen, clean, options)
    local runs = {}
    for index, series in ipairs(chosen) do
        local largest = largest_count(series, clean[index].record)
        for _, fault in ipairs(matrix.faults) do
            local is_wanted = not series.faults or lists.contains(series.faults, fault.name)
            if is_wanted and (not fault.needs or series[fault.needs]) then
                runs[#runs + 1] = inject(series, fault, largest, options, #clean + #runs + 1)
            end
        end
    end
    return runs
end

local function main(options, scratch)
    options.scratch = scratch
    local chosen = choose_series(options)
    local clean, findings = run_clean(chosen, options)
    local sums = { found = 0, misnamed = 0, missed = 0, ["no effect"] = 0, alarms = 0 }
    local runs = make_injections(chosen, clean, options)
    run_all(runs, options.jobs, function(run)
        report(run, sums)
    end)
    local line = "\n%d injected: %d found, %d misnamed, %d missed, %d without effect (and without a finding); %d false alarms"
    print(line:format(#runs, sums.found, sums.misnamed, sums.missed, sums["no effect"], sums.alarms))
    return sums.misnamed + sums.missed + sums.alarms + findings == 0
end

campaign.main(main, KINDS, { jobs = 2, node = "virtual", reps = REPS })
