-- noise.lua - a whole campaign with many seeds of noise: right counters stay validated, and none is blamed.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--     lua5.4 tests/replay/noise.lua [--node NODE] [--patterns WORDS] [--level LEVEL] [--seeds N] [--from SEED] [--reps N]
--         [--kept FILE]
--
-- from the project's folder; BUILD as for make. One quick campaign is run without noise; its counts get the noise of a virtual node
-- (tests/lua/noisy.lua) and are judged again, for each level and seed. --kept: uses the campaign that kept.sh saved in FILE. Prints for
-- each level the smallest number of rows that stay validated, and the rows that only noise makes wrong.
-- Exit status 1 if too few rows stay validated, a row becomes wrong, or a line of blame is added.
package.path = "tests/lua/?.lua;lua/?.lua;" .. package.path
local campaign = dofile "tests/campaign.lua"
require "fixture" -- where the modules in C are
local noisy = require "noisy"

local LEVELS = { { name = "quiet", least = 0.98 }, { name = "busy", least = 0.95 } }
local KINDS = { node = "text", patterns = "text", kept = "text", level = "text", seeds = "number", from = "number", reps = "number" }

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

local function main(options, scratch)
    local file, is_right = options.kept or keep(options, scratch), true
    local clean = judged(options, file, function(count) return count end)
    for _, level in ipairs(LEVELS) do
        local is_asked = options.level == nil or options.level == level.name
        is_right = (not is_asked or run_level(options, file, level, clean)) and is_right
    end
    return is_right
end

campaign.main(main, KINDS, { node = "virtual", patterns = "", seeds = 50, from = 1, reps = 5 })
