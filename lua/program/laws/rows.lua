-- rows.lua - turns laws into inequalities of counts: a row for each law, place, region and run.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Counts come as entries { run =, rep =, region =, cpu =, rank = |nil, seconds = |nil, calls = of the region |nil, counts = { [event]
-- = { [box or ""] = number } }, absent = { [event] = reason } }. Events are named as in laws, with options. A counter that hardware
-- threads share is in the entry of one thread only.
--
-- Events of one run are compared directly. If no run has all events of a law, each event gets the interval of its counts over runs and
-- repetitions, widened by the spread of the witness, the event that all runs count. If the witness varies by more than LIKWID's own
-- instructions, events that were counted only once are not used.
--
-- A row: { law =, place = text, region =, run = |nil, rep = |nil, relation = "=" or "<=", base =, slack =, left =, right = |numbers|,
-- parts = array of { event = without options, name = with options, factor =, count =, half = half of the interval, seen = key of the same
-- observation in other rows } }: the sum of factor * count, plus base, must be = 0 or <= 0 within the slack.
local array = require "input.array"
local cores = require "plan.cores"
local linear_form = require "input.linear_form"
local lists = require "input.lists"

local rows = {}

-- READING: lines or requests of the Marker API that a counter may include at each start and stop. LIKWID starts and stops counters one
-- after the other, unless the processor has a register for a whole unit.
-- OWN: variation of LIKWID's own instructions in a region with the counters of a run (some 7000 on Haswell-EP, 9000 on Zen 3). A larger
-- variation comes from the program.
local READING, OWN = 100, 10000

local function add_place(list, name, cpus, box)
    list[#list + 1] = { name = name, cpus = cpus, box = box }
end

-- The measured hardware threads that belong to the unit, a list of cores.
local function measured(context, unit)
    return lists.filter(context.cpus, function(cpu) return lists.contains(unit, cores.first_of(context.node, cpu)) end)
end

local function units(context, list, title, of)
    for number, unit in ipairs(of) do
        local own = measured(context, unit)
        if #own > 0 then
            add_place(list, ("%s %d"):format(title, number - 1), own)
        end
    end
end

-- Boxes of a law's events, in order.
local function boxes_of(context, law)
    local seen, names = {}, {}
    for _, entry in ipairs(context.entries) do
        for _, event in ipairs(law.events) do
            for box in pairs(entry.counts[event] or {}) do
                names[#names + 1] = not seen[box] and box or nil
                seen[box] = true
            end
        end
    end
    table.sort(names, function(a, b) return #a < #b or #a == #b and a < b end)
    return names
end

local PLACES = {
    core = function(context, list)
        for _, cpu in ipairs(context.cpus) do
            add_place(list, "core " .. cpu, { cpu })
        end
    end,
    box = function(context, list, law)
        local sockets = {}
        units(context, sockets, "socket", context.node.cpus_by_socket)
        for _, socket in ipairs(sockets) do
            for _, box in ipairs(boxes_of(context, law)) do
                add_place(list, #sockets > 1 and ("%s of %s"):format(box, socket.name) or box, socket.cpus, box)
            end
        end
    end,
    domain = function(context, list) units(context, list, "last level", context.node.cpus_by_domain) end,
    socket = function(context, list) units(context, list, "socket", context.node.cpus_by_socket) end,
    node = function(context, list) add_place(list, "node", context.cpus) end,
}

-- Values of the constants at a place (input/laws.lua); constants that a native node does not state are absent.
local function constants_of(context, place, seconds)
    local node, found = context.node, { line_bytes = context.node.line_bytes, seconds = seconds, threads = #place.cpus }
    for number, cache in ipairs(node.caches) do
        found["lines_L" .. number] = cache.size_bytes // node.line_bytes
    end
    local processor = node.kind == "virtual" and context.machine.processor or {}
    found.clock_hz, found.walk_latency = processor.clock_hz, processor.walk_latency
    return found
end

-- Count of an event at a place in a sample, summed over its cpus; nil and the reason if it is absent. sample: { [cpu] = entry }.
local function value_of(sample, place, event)
    local sum
    for _, cpu in ipairs(place.cpus) do
        local entry = sample[cpu]
        local own = entry and entry.counts[event]
        if not own then
            return nil, entry and entry.absent[event] or "not counted"
        end
        for box, count in pairs(own) do
            sum = (not place.box or place.box == box) and (sum or 0) + count or sum
        end
    end
    return sum, "not counted"
end

-- The largest value of a field over a place's entries; nil if none has the field.
local function most_of(sample, place, field)
    local most
    for _, cpu in ipairs(place.cpus) do
        local own = sample[cpu] and sample[cpu][field]
        most = own and math.max(most or own, own) or most
    end
    return most
end

-- Measured seconds, for a whole program only, because the time of a region does not include all of its counters' reads.
local function seconds_of(region, sample, place)
    return region.name == "" and most_of(sample, place, "seconds") or nil
end

local IN_ONE_UNIT = { core = true, box = true }

-- `each` times the number of entries into the region; 0 for a whole program.
local function around(each, region, sample, place)
    return region.name ~= "" and each * (most_of(sample, place, "calls") or 1) or 0
end

-- Counts { count =, half = 0 } of a law's events in one sample; nil, the event and the reason if one is absent.
local function exact(law, sample, place)
    local found = {}
    for _, event in ipairs(law.events) do
        local count, why = value_of(sample, place, event)
        if not count then
            return nil, event, why
        end
        found[event] = { count = count, half = 0 }
    end
    return found
end

local function span(samples, place, event)
    local low, high, why
    local times = 0
    for _, sample in ipairs(samples) do
        local count, reason = value_of(sample, place, event)
        why = not count and reason ~= "not counted" and reason or why
        if count then
            low, high, times = math.min(low or count, count), math.max(high or count, count), times + 1
        end
    end
    return low, high, times, why or "not counted"
end

-- Spread of the witness over samples, relative to its counts, and its largest absolute spread. The witness is a core event, so it is read
-- for each hardware thread of a place.
local function drift_of(context, samples, cpus)
    local apart, all, largest = 0, 0, 0
    for _, cpu in ipairs(cpus) do
        local least, most = span(samples, { cpus = { cpu } }, context.witness)
        if least then
            apart, all, largest = apart + most - least, all + most, math.max(largest, most - least)
        end
    end
    return all > 0 and apart / all or 0, largest
end

-- Intervals { count =, half = } over all samples of a region; `own`: spread of instructions that does not come from the program.
local function spread(context, law, samples, place, own)
    local found, drift, apart = {}, drift_of(context, samples, place.cpus)
    for _, event in ipairs(law.events) do
        local low, high, times, why = span(samples, place, event)
        if not low then
            return nil, event, why
        elseif apart > own and times == 1 then
            return nil, event, "counted once, in runs that differ; --reps 3 says by how much"
        end
        found[event] = { count = (low + high) / 2, half = high - low + drift * high }
    end
    return found
end

local function side_value(form, found)
    local sum, half = form.base, 0
    for event, factor in pairs(form.terms) do
        sum, half = sum + factor * found[event].count, half + math.abs(factor) * found[event].half
    end
    return sum, half
end

local function event_of(name)
    return name:match "^[^:]*"
end

-- The row of a law from intervals of its events; nil and the reason if there is none.
local function make_row(context, law, place, found, seconds, seen)
    local constants = constants_of(context, place, seconds)
    local left, why = linear_form.of(law.left, constants)
    local right, reason = linear_form.of(law.right, constants)
    if not left or not right then
        return nil, why or reason
    end
    local a, half_a = side_value(left, found)
    local b, half_b = side_value(right, found)
    local sign = law.relation == ">=" and -1 or 1
    local is_native = context.node.kind ~= "virtual"
    local row = { law = law, place = place.name, relation = law.relation == "=" and "=" or "<=", base = sign * (left.base - right.base),
        left = a, right = b, slack = half_a + half_b, parts = {} }
    row.slack = row.slack + (is_native and law.within_pct and law.within_pct / 100 * math.max(math.abs(a), math.abs(b)) or 0)
    for _, event in ipairs(law.events) do
        local factor = sign * ((left.terms[event] or 0) - (right.terms[event] or 0))
        if factor ~= 0 then
            row.parts[#row.parts + 1] = { event = event_of(event), name = event, factor = factor, count = found[event].count,
                half = found[event].half, seen = ("%s\t%s\t%s"):format(seen, place.name, event) }
        end
    end
    return row
end

local function note_gap(gaps, law, event, why)
    gaps[law] = gaps[law] or (event and ("%s: %s"):format(event, why) or why)
end

-- Adds the rows of one law in one region.
local function add_rows(context, law, region, found, gaps)
    local places = {}
    if region.has_ranks and not IN_ONE_UNIT[law.scope] then
        note_gap(gaps, law, nil, "each process is measured by itself, and they begin and end at different times")
        return
    elseif region.name ~= "" and #region.cpus > 1 and not IN_ONE_UNIT[law.scope] then
        note_gap(gaps, law, nil, "threads enter and leave a region at different times; --whole checks all of the program")
        return
    end
    PLACES[law.scope](context, places, law)
    for _, place in ipairs(places) do
        local own = {}
        for _, sample in ipairs(region.samples) do
            local intervals, event, why = exact(law, sample.by_cpu, place)
            if intervals then
                local row, reason = make_row(context, law, place, intervals, seconds_of(region, sample.by_cpu, place), sample.key)
                own[#own + 1] = row
                if row then
                    row.slack = row.slack + around(READING, region, sample.by_cpu, place)
                    row.region, row.run, row.rep = region.name, sample.run, sample.rep
                end
                note_gap(gaps, law, nil, reason)
            else
                note_gap(gaps, law, why ~= "not counted" and event or nil, why ~= "not counted" and why or nil)
            end
        end
        if #own == 0 then
            local samples = lists.map(region.samples, "by_cpu")
            local intervals, event, why = spread(context, law, samples, place, around(OWN, region, samples[1], place))
            local row, reason
            if intervals then
                row, reason = make_row(context, law, place, intervals, seconds_of(region, samples[1], place), region.name)
            end
            if row then
                row.slack = row.slack + around(READING, region, samples[1], place)
                row.region = region.name
                own[1] = row
            else
                note_gap(gaps, law, event, why or reason)
            end
        end
        lists.append(found, own)
    end
end

-- Entries by region and sample: { name =, cpus = those that entered the region, has_ranks = are there several processes?, samples =
-- array of { key =, run =, rep =, by_cpu = } }.
local function by_region(entries)
    local regions, known = {}, {}
    for _, entry in ipairs(entries) do
        local region = known[entry.region]
        if not region then
            region = { name = entry.region, cpus = {}, samples = {}, known = {} }
            known[entry.region], regions[#regions + 1] = region, region
        end
        local key = ("%s\t%s\t%s"):format(entry.region, entry.run, entry.rep)
        local sample = region.known[key]
        if not sample then
            sample = { key = key, run = entry.run, rep = entry.rep, by_cpu = {} }
            region.known[key], region.samples[#region.samples + 1] = sample, sample
        end
        sample.by_cpu[entry.cpu] = entry
        region.has_ranks = region.has_ranks or (entry.rank or 1) > 1
        table.insert(region.cpus, not lists.contains(region.cpus, entry.cpu) and entry.cpu or nil)
    end
    for _, region in ipairs(regions) do
        table.sort(region.cpus)
    end
    return regions
end

-- { laws =, entries =, witness = event's name, node =, machine = } -> array of rows, and { [law] = reason } for laws without rows.
function rows.make(argument)
    local regions = by_region(argument.entries)
    local found, gaps = array(), {}
    for _, law in ipairs(argument.laws) do
        local before = #found
        for _, region in ipairs(regions) do
            add_rows(setmetatable({ cpus = region.cpus }, { __index = argument }), law, region, found, gaps)
        end
        gaps[law] = #found == before and (gaps[law] or "not counted") or nil
    end
    return found, gaps
end

-- By how much a row violates its law; 0 or less: it holds. Counts are whole numbers: rounding of factors is no violation.
function rows.missed(row)
    local value = row.base
    for _, part in ipairs(row.parts) do
        value = value + part.factor * part.count
    end
    local beyond = row.relation == "=" and math.abs(value) or value
    return beyond - row.slack - 1e-9 * math.max(math.abs(row.left), math.abs(row.right)), value
end

return rows
