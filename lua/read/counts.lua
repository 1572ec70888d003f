-- counts.lua - the raw counts of one run, as stored in the record: one entry per region and thread.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- An entry is { pattern =, code =, point =, base = |nil, rep =, thread = (cpu number), run =, seconds =, counts = { [key] = number },
-- absent = { [key] = word } }. A key names event and counter, EVENT@COUNTER[:OPTIONS]: "CAS_COUNT_RD@MBOX3C0". `base` is the point whose
-- difference from this entry is judged, too. Entries of a region are in the order of the job's threads. The cost of measuring is
-- subtracted if it is subtracted from samples.
local array = require "input.array"
local group_file = require "input.group"
local lists = require "input.lists"
local pack = require "plan.pack"

local counts = {}

-- Half of a counter's range: a larger count means that the counter ran backwards or wrapped.
function counts.half_of(machine, counter)
    local _, _, box = pack.locate(machine, counter:match "^%w+")
    return 2.0 ^ (box.bits - 1)
end

-- LIKWID's inverseClock: from the description of a virtual node; nil for a native node, where only LIKWID knows it.
function counts.inverse_clock(machine, node)
    return node.kind == "virtual" and 1 / machine.processor.clock_hz or nil
end

function counts.key(event, counter, options)
    return group_file.with_options(("%s@%s"):format(event, counter), options)
end

-- The parts of a key: event, counter, options ("" for none).
function counts.parts(key)
    local event, counter, options = key:match "^(.-)@(%w+):?(.*)$"
    return event, counter, options
end

local function entry_of(context, point, region, row)
    local entry = {
        pattern = context.job.pattern,
        code = point.code,
        point = region,
        base = point.base and region == point.region and point.base.region or nil,
        rep = context.rep,
        thread = row.cpu,
        run = context.run.name,
        seconds = row.seconds,
        counts = {},
        absent = {},
    }
    for _, event in ipairs(context.run.events) do
        local name = group_file.with_options(event.counter, event.options)
        local key, count = counts.key(event.event, event.counter, event.options), row.counts and row.counts[name]
        if count and (count < 0 or count >= counts.half_of(context.machine, event.counter)) then
            entry.absent[key] = "wrapped"
        elseif count then
            entry.counts[key] = count
        else
            entry.absent[key] = row.absent and row.absent[name] or "not programmed"
        end
    end
    return entry
end

-- Key of an event on its box or core, independent of the counter within it: runs of other events use other counters.
function counts.place(machine, event, counter, options)
    local slot = pack.locate(machine, counter)
    return ("%s\t%s\t%s"):format(event, options or "", slot or counter)
end

-- context: job, run, rep, machine, regions (plan.lua; absent: the run gave no results) -> array of entries. Regions that were entered
-- more than once are left out.
function counts.read(context)
    local list = array()
    local function add(point, region)
        for _, cpu in ipairs(context.job.cpus) do
            lists.append(list, context.regions[region] or {}, function(row)
                return (row.cpu == cpu and (row.calls or 1) == 1) and entry_of(context, point, region, row)
            end)
        end
    end
    for _, point in ipairs(context.regions and context.job.points or {}) do
        add(point, point.region)
        if point.base then
            add(point, point.base.region)
        end
    end
    return list
end

return counts
