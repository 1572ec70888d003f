-- noise.lua - a whole campaign with many seeds of noise: right counters stay validated, and none is blamed.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--     lua5.4 tests/replay/noise.lua [--node NODE] [--patterns WORDS] [--level LEVEL] [--seeds N] [--from SEED] [--reps N]
--         [--kept FILE] [--faults [--event TEXT]]
--
-- from the project's folder; BUILD as for make. One quick campaign is run without noise; its counts get the noise of a virtual node
-- (tests/lua/noisy.lua) and are judged again, for each level and seed. --kept: uses the campaign that kept.sh saved in FILE. Prints for
-- each level the smallest number of rows that stay validated, and the rows that only noise makes wrong.
-- --faults: makes every event wrong (--event: those whose names hold TEXT), one after the other, in the ways FAULTS. Rows that are wrong
-- without noise must not be validated with it; noise must not make other rows wrong, and added lines of blame must name the event.
-- Exit status 1 if too few rows stay validated, a row becomes wrong, a wrong one is validated, or a wrong line of blame is added.
package.path = "tests/lua/?.lua;lua/?.lua;" .. package.path
local campaign = dofile "tests/campaign.lua"
require "fixture" -- where the modules in C are
local lists = require "input.lists"
local noisy = require "noisy"

local LEVELS = { { name = "quiet", least = 0.98 }, { name = "busy", least = 0.95 } }
local KINDS = { node = "text", patterns = "text", kept = "text", level = "text", seeds = "number", from = "number", reps = "number",
    faults = "flag", event = "text" }
-- name, change(count, largest count of the event); faults of tests/detection/matrix.lua that do not depend on chance
local FAULTS = {
    { "scale 0.6", function(count) return 0.6 * count end },
    { "scale 1.05", function(count) return 1.05 * count end },
    { "scale 3", function(count) return 3 * count end },
    { "add", function(count, most) return count + most / 2 end },
    { "stuck", function() return 0 end },
}

local function keep(options, scratch)
    local root, file = campaign.must "pwd", scratch .. "/kept.lua"
    campaign.data(root, scratch .. "/data", { ["judge/assess.lua"] = "replay/keep.lua" })
    local command = "REPLAY_ROOT=%s REPLAY_OUT=%s ASSAY_DATA=%s/data %s/assay validate %s --quick --node %s --out %s/record.json"
    campaign.must(command:format(root, file, scratch, campaign.BUILD, options.patterns, options.node, scratch))
    return file
end

local function judged(options, file, change, seed)
    local found = noisy.judge { kept = dofile(file), reps = options.reps, seed = seed, change = change }
    return noisy.summary(found), found.again
end

local function print_lines(level, seed, lines)
    for _, line in ipairs(lines) do
        print(("  %s, seed %d: %s"):format(level.name, seed, line))
    end
end

-- Judges one level with all seeds. Returns whether all requirements are met.
local function run_level(options, file, level, clean)
    local all = noisy.compare(clean, clean).validated
    local least, wrong, blame, again = all, 0, 0, 0
    for seed = options.from, options.from + options.seeds - 1 do
        local summary, more = judged(options, file, noisy.level(level.name), seed)
        local result = noisy.compare(clean, summary)
        least, wrong, blame, again = math.min(least, result.kept), wrong + #result.wrong, blame + #result.blame, again + more
        print_lines(level, seed, result.wrong)
        print_lines(level, seed, result.blame)
        io.stdout:flush()
    end
    local text = "%s: %d seeds: at least %d of %d rows stay validated, %d become wrong, %d lines of blame are added; %d runs measured again"
    print(text:format(level.name, options.seeds, least, all, wrong, blame, again))
    return all > 0 and least >= level.least * all and wrong + blame == 0
end

-- Events that count, with their largest counts, of the campaign judged without noise: { [event] = count }.
local function counted_events(options, file)
    local most = {}
    judged(options, file, function(count, at)
        most[at.event] = count > 0 and math.max(count, most[at.event] or 0) or most[at.event]
        return count
    end)
    return most
end

-- Judges the fault { event =, name =, change = } at one level with all seeds; without = the summary without noise. Adds to `sums`.
local function run_fault(options, file, level, fault, without, sums)
    for seed = options.from, options.from + options.seeds - 1 do
        local noise = noisy.level(level.name)
        local summary = judged(options, file, function(count, at) return fault.change(noise(count, at), at) end, seed)
        local result = noisy.compare(without, summary)
        for _, id in ipairs(noisy.wrong(without)) do
            if summary.metrics[id].verdict == "validated" then
                table.insert(result.wrong, id .. ": validated, but wrong without noise")
                sums.missed = sums.missed + 1
            end
        end
        result.blame = lists.filter(result.blame, function(line) return not line:find(fault.event, 1, true) end)
        sums.wrong, sums.blame = sums.wrong + #result.wrong, sums.blame + #result.blame
        for _, lines in ipairs { result.wrong, result.blame } do
            print_lines({ name = ("%s %s, %s"):format(fault.event, fault.name, level.name) }, seed, lines)
        end
        io.stdout:flush()
    end
end

-- The mode --faults. Returns whether noise changes nothing.
local function run_faults(options, file, levels, clean)
    local most = counted_events(options, file)
    local sums = { events = 0, found = 0, unseen = 0, missed = 0, wrong = 0, blame = 0 }
    local events = lists.filter(lists.sorted(most), function(event) return event:find(options.event or "", 1, true) end)
    for _, event in ipairs(events) do
        sums.events = sums.events + 1
        for _, kind in ipairs(FAULTS) do
            local name, how = table.unpack(kind)
            local function change(count, at) return at.event == event and how(count, most[event]) or count end
            local without = judged(options, file, change)
            if #noisy.compare(clean, without).wrong == 0 then
                sums.unseen = sums.unseen + 1
            else
                sums.found = sums.found + 1
                for _, level in ipairs(levels) do
                    run_fault(options, file, level, { event = event, name = name, change = change }, without, sums)
                end
            end
        end
    end
    local text = "%d events: %d faults make rows wrong, %d do not; in noise %d wrong rows are validated, %d others become wrong, "
        .. "%d lines of blame without the event are added"
    print(text:format(sums.events, sums.found, sums.unseen, sums.missed, sums.wrong - sums.missed, sums.blame))
    return sums.found > 0 and sums.wrong + sums.blame == 0
end

local function main(options, scratch)
    local file, is_right = options.kept or keep(options, scratch), true
    local levels = lists.filter(LEVELS, function(level) return options.level == nil or options.level == level.name end)
    local clean = judged(options, file, function(count) return count end)
    if options.faults then
        return run_faults(options, file, levels, clean)
    end
    for _, level in ipairs(levels) do
        is_right = run_level(options, file, level, clean) and is_right
    end
    return is_right
end

campaign.main(main, KINDS, { node = "virtual", patterns = "", seeds = 50, from = 1, reps = 5 })
