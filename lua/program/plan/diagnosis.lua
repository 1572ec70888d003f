-- diagnosis.lua - which patterns of patterns/ can be recognised on a node, and the events to count for them: wants of
-- program/plan/program.lua.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- diagnosis.wants{ patterns =, machine =, groups =, node =, record = a validation of such a node, costs = (input/costs.lua), threads =
-- of all processes } -> { wants =, rates = { terms =, clock = in MHz |nil, peak = MFLOP/s of a core |nil }, candidates = array of {
--     pattern, title, class, advice |nil
--     added      the virtual node's time model gives the events of the first needed term no time
--     why        reason why the pattern cannot be recognised here |nil
--     ruled_out  reason why it cannot be there |nil
--     terms      { [name] = term } of the quantities: { name, quantity, group, metric, scope, formula, events = array of { name = in the
--                formula, event, options }, verdict = of the record, cost = { low, high, source } |nil, is_left_out = the
--                virtual node's time model gives its events no time |nil } } }
-- A pattern can be recognised if all quantities that it needs are validated in the record, and their costs are known where it asks for
-- them. Where some code's count is wrong by a factor that the record corrects, an event's cost has the factor: its interval is wider.
local array = require "input.array"
local boxes = require "plan.boxes"
local cores = require "plan.cores"
local costs = require "input.costs"
local formula = require "input.formula"
local group_file = require "input.group"
local lists = require "input.lists"
local loaded = require "input.loaded"
local model_levels = require "model.levels"
local quantity = require "plan.quantity"
local signature = require "plan.signature"
local terms = require "program.plan.terms"
local vocabulary = require "judge.vocabulary"

local diagnosis = {}

local CYCLES, INSTRUCTIONS = "unhalted time", "instructions" -- counted for each pattern

local TURN = 1000 -- instructions of a thread's turn on a virtual node (vnode/engine/main.c)
local OTHER_TURN = TURN // 2 -- of a run that tells how long threads wait, and which lines they take from each other all the time

-- Verdicts that are ignored if another row of the same metric has another verdict.
local SILENT = { untested = true, unresolved = true, skipped = true }

-- The record's worst verdict of a metric over all rows that could detect a wrong count; nil if no row is there.
local function verdict_of(record, one)
    local worst, silent
    local rank = vocabulary.VERDICT_RANK
    for _, row in ipairs(record.metrics) do
        if row.group == one.group and row.metric == one.metric then
            if SILENT[row.verdict] or row.verdict == "qualitative" and row.class == "exact" then
                silent = silent or row.verdict
            elseif not worst or rank[row.verdict] > rank[worst] then
                worst = row.verdict
            end
        end
    end
    return worst or silent
end

-- Least and most of 1 and of the factors that the record's rows have for a metric; nil if a row has an offset as well.
local function factors_of(record, one)
    local low, high = 1, 1
    for _, row in ipairs(record.metrics) do
        local found = row.group == one.group and row.metric == one.metric and row.verdict == "correctable" and row.correction
        if found and (not found.factor_ci or found.offset ~= 0) then
            return nil
        elseif found then
            low, high = math.min(low, found.factor_ci[1]), math.max(high, found.factor_ci[2])
        end
    end
    return low, high
end

-- Cycles of the time model of virtual nodes, by the names of costs.CONSTANTS.
local function time_model(machine)
    local processor, found = machine.processor, {}
    for _, level in ipairs(model_levels.of_data(machine)) do
        found[level.name] = level.latency
    end
    found.instruction, found.walk, found.branch = 4 / processor.instructions_per_cycle_x4, processor.walk_latency, processor.branch_penalty
    found.turn = TURN * found.instruction
    found.memory, found.remote = processor.memory_latency, processor.remote_latency
    return found
end

-- Whether a pipeline makes what the formulas name shorter or longer, as on a processor.
local function varies(formulas)
    return lists.any({ formulas.low, formulas.high }, function(one)
        local names = formula.parse(one).names
        return lists.contains(names, "instruction") or lists.contains(names, "branch")
    end)
end

-- The cost of an event of the quantity on this node; nil if it is not known.
local function cost_of(argument, name)
    local cost = argument.costs[name]
    if not cost then
        return nil
    elseif argument.node.kind ~= "virtual" or not cost.virtual or argument.node.has_pipeline and varies(cost.virtual) then
        return { low = cost.low, high = cost.high, source = cost.source }
    end
    local model = time_model(argument.machine)
    model.remote = argument.node.sockets > 1 and model.remote or model.memory
    local low, high = formula.evaluate(cost.virtual.low, model), formula.evaluate(cost.virtual.high, model)
    return { low = low, high = high, source = "the virtual node's time model" }
end

local function events_of(group, metric)
    local used = group_file.counters(metric)
    return array(lists.collect(group.events, function(event)
        return used[event.name] and { name = event.name, event = event.event, options = event.options or "" }
    end))
end

-- The term of the first of the names that the groups show; nil and the reason if none is validated.
local function term_of(argument, names)
    local words = lists.words(names, "[^|]+")
    local one, why = signature.first_of(argument.machine, argument.groups, words)
    if not one then
        return nil, why
    end
    local verdict, cost = verdict_of(argument.record, one), cost_of(argument, one.name)
    local low, high = factors_of(argument.record, one)
    if verdict ~= "validated" and not (verdict == "correctable" and cost and low) then
        return nil, ("%s of %s is %s"):format(one.metric, one.group, verdict or "not in the record")
    end
    cost = cost and { low = cost.low / high, high = cost.high / low, source = cost.source }
    local is_left_out = cost and argument.node.kind == "virtual" and not argument.costs[one.name].virtual
        and not (argument.node.has_pipeline and argument.costs[one.name].in_pipeline)
    local group = argument.groups[one.group]
    local metric = group_file.metric(group, one.metric)
    return { name = words[1], quantity = one.name, group = one.group, metric = one.metric, scope = one.scope, verdict = verdict,
        formula = formula.text(metric.parsed or formula.parse(metric.formula)), events = events_of(group, metric),
        cost = cost, is_left_out = is_left_out or nil }
end

local function add_terms(argument, found, names, is_needed)
    for _, name in ipairs(names or {}) do
        local term, why = term_of(argument, name)
        if term then
            found.terms[term.name] = term
        elseif is_needed then
            found.why = found.why or why
        end
    end
end

local function candidate_of(argument, pattern)
    local explains = loaded.find(pattern).explains
    local found = { pattern = pattern.name, title = pattern.title, class = pattern.class, advice = pattern.advice, terms = {} }
    if not explains then
        found.why = "no share of the run time is defined for it"
        return found
    end
    if explains.in_pipeline and argument.node.kind == "virtual" and not argument.node.has_pipeline then
        found.why = "the node's time model has no pipeline: add +pipeline to its name"
    end
    found.ruled_out = explains.ruled_out and explains.ruled_out(argument.node, argument.threads)
    if not found.ruled_out then
        add_terms(argument, found, { CYCLES, INSTRUCTIONS }, true)
        add_terms(argument, found, explains.needs, true)
        add_terms(argument, found, explains.may, false)
    end
    local first = explains.needs[1]:match "^[^|]+"
    if argument.node.kind ~= "virtual" and #explains.needs == 1 and pattern.class ~= "bottleneck" and found.terms[first] then
        found.terms[first].cost = terms.slope(argument.record, pattern, found.terms[CYCLES], found.terms[first])
            or found.terms[first].cost
    end
    found.added = found.terms[first] ~= nil and found.terms[first].is_left_out or false
    return found
end

local function want_of(candidate)
    local want, seen = { name = candidate.pattern, events = array() }, {}
    for _, name in ipairs(lists.sorted(candidate.terms)) do
        for _, event in ipairs(candidate.terms[name].events) do
            local key = group_file.key(event)
            want.events[#want.events + 1] = not seen[key] and { event = event.event, options = event.options } or nil
            seen[key] = true
        end
    end
    return want
end

-- The run with other turns: it counts cycles, and what candidates want of it.
local function turned_want(candidates)
    local want = { name = "waits", turn = OTHER_TURN, events = array() }
    for _, one in ipairs(lists.filter(candidates, function(candidate) return not candidate.why and not candidate.ruled_out end)) do
        local turned = loaded.find({ name = one.pattern }).explains.turned
        for _, name in ipairs(turned and { CYCLES, table.unpack(turned) } or {}) do
            lists.append(want.events, one.terms[name] and one.terms[name].events or {})
        end
    end
    return want
end

-- The largest value that the record has of these quantities, on all boxes of a kind.
local function measured_most(record, quantities)
    local most
    for _, one in ipairs(quantities) do
        for _, row in ipairs(record.metrics) do
            if row.group == one.group and row.metric == one.metric and row.verdict == "validated" then
                most = math.max(most or 0, row.measured.max * (one.boxes and one.boxes / one.seen or 1))
            end
        end
    end
    return most
end

-- Clock in MHz; nil if the record has none.
local function clock_of(argument)
    return measured_most(argument.record, quantity.named(argument.machine, argument.groups, "clock"))
end

-- Cycles that a socket needs at least for a line through a boundary: by the time model each core fetches one line after the other; on a
-- native node by the largest bandwidth that a code of the record reached. nil if the record has none.
local function line_cycles(argument, boundary, latency)
    local node, machine = argument.node, argument.machine
    if node.kind == "virtual" then
        return time_model(machine)[latency] / node.cores_per_socket
    end
    local bandwidths = quantity.traffic(machine, argument.groups, boundary)
    local peak = measured_most(argument.record, lists.filter(bandwidths, function(one) return one.kind == "bandwidth" end))
    local clock = clock_of(argument) -- both in 10^6 a second
    return peak and clock and node.line_bytes * clock / peak
end

-- Terms of the regions' rates, and the peak of a core.
local function rates_of(argument)
    local found = { pattern = "rates", terms = {}, clock = clock_of(argument) }
    add_terms(argument, found, { CYCLES, "memory read volume", "performance", "arithmetic intensity at memory" }, false)
    local rate = signature.first_of(argument.machine, argument.groups, { "rate of FLOPs", "rate of FLOPs DP", "rate of AVX FLOPs DP" })
    found.peak = measured_most(argument.record, { rate })
    return found
end

function diagnosis.wants(argument)
    local rates = rates_of(argument)
    local candidates = array(lists.map(argument.patterns, function(pattern) return candidate_of(argument, pattern) end))
    local wants = array(lists.collect(candidates, function(candidate)
        return not candidate.why and not candidate.ruled_out and want_of(candidate)
    end))
    if #wants > 0 then
        lists.append(wants, lists.map(lists.sorted(rates.terms), function(name)
            return want_of { pattern = "rates", terms = { rates.terms[name] } }
        end))
        local is_virtual = argument.node.kind == "virtual"
        wants[#wants + 1] = is_virtual and argument.threads > 1 and turned_want(candidates) or nil
    end
    return { candidates = candidates, wants = wants, rates = rates, line_cycles = {
        ["L2-L3"] = line_cycles(argument, "L2-L3", "L3"), ["L3-MEM"] = line_cycles(argument, "L3-MEM", "memory") } }
end

-- The same with files = costs.read's, groups not yet fitted to the node, and cores =, processes =, threads = of each process, scaled =
-- as for program.on_cores.
function diagnosis.of_files(argument)
    local dealt = cores.deal { node = argument.node, text = argument.cores, ranks = argument.processes, threads = argument.threads,
        scaled = argument.scaled }
    local threads = lists.sum(dealt, function(cpus) return #cpus end)
    local groups = boxes.fit_all(argument.groups, argument.machine, argument.node)
    return diagnosis.wants(setmetatable({ costs = costs.read(argument.files), groups = groups, threads = threads }, { __index = argument }))
end

return diagnosis
