-- run.lua - the detection matrix for all events: makes each event of a campaign wrong, one at a time, and checks the blame.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--     lua5.4 tests/replay/run.lua [--node NODE] [--patterns WORDS] [--event TEXT] [--inject N] [--all]
--
-- from the project's folder; BUILD as for make. One quick campaign is run; its counts are changed as a fault would and judged again
-- (assess.lua of this folder says how), which takes seconds where a campaign takes a minute. Prints the faults that are not named (with
-- --all every fault), and the number of each kind. --inject N: N of the named faults, spread over all, are also injected into the virtual
-- node. The first line of blame of that campaign must be the replayed one, with numbers within 0.5 %.
-- Exit status 1 if a fault is missed or misnamed, or the line of an injected fault differs.
local campaign = dofile "tests/campaign.lua"
local BUILD, must = campaign.BUILD, campaign.must
local WORDS = { "named", "unknown", "unseen", "partly", "missed", "misnamed" }
local CLOSE = 0.005 -- counts of two campaigns differ a little
local KINDS = { node = "text", patterns = "text", event = "text", inject = "number", all = "flag" }

-- Array of { event =, fault =, word =, what = }.
local function replay(options, scratch)
    local root = must "pwd"
    campaign.data(root, scratch .. "/data", { ["judge/assess.lua"] = "replay/assess.lua" })
    local command = "REPLAY_ROOT=%s REPLAY_OUT=%s/found %s ASSAY_DATA=%s/data %s/assay validate %s --quick --node %s --out %s/record.json"
    local only = options.event and ("REPLAY_EVENT=%s"):format(options.event) or ""
    must(command:format(root, scratch, only, scratch, BUILD, options.patterns, options.node, scratch))
    local rows = {}
    for line in io.lines(scratch .. "/found") do
        local event, fault, word, what = line:match "^([^\t]*)\t([^\t]*)\t([^\t]*)\t(.*)$"
        rows[#rows + 1] = { event = event, fault = fault, word = word, what = what }
    end
    return rows
end

-- Does the text contain the line, with numbers that differ by at most CLOSE? The output wraps lines, so all white space equals one blank.
local function holds(text, line)
    local function masked(one) return (one:gsub("%d+%.?%d*", "#")) end
    text = text:gsub("%s+", " ")
    local from, at = 1, nil
    repeat -- from each place where its first word occurs
        at = text:find(line:match "^%S+", from, true)
        local numbers = at and text:sub(at):gmatch "%d+%.?%d*"
        local is_same = at and masked(text:sub(at)):sub(1, #masked(line)) == masked(line)
        for number in line:gmatch "%d+%.?%d*" do
            is_same = is_same and math.abs(tonumber(numbers()) / tonumber(number) - 1) <= CLOSE
        end
        from = at and at + 1
    until not at or is_same
    return at ~= nil
end

-- Injects `count` of the rows that a fault file can express. Returns how many give another line of blame.
local function inject(rows, options, scratch)
    local able, different = {}, 0
    for _, row in ipairs(rows) do
        if row.word == "named" and row.fault:find "^scale [%d.]+$" then
            able[#able + 1] = row
        end
    end
    for _, row in ipairs(campaign.spread(able, options.inject)) do
        must(("echo '%s %s' >%s/fault"):format(row.event, row.fault, scratch))
        local text = campaign.run(("%s/assay validate %s --quick --node %s --fault %s/fault --out %s/fault.json"):format(BUILD,
            options.patterns, options.node, scratch, scratch))
        local is_same = holds(text, row.what)
        different = different + (is_same and 0 or 1)
        print(("injected: %s %s: %s"):format(row.event, row.fault, is_same and "the same line" or "NOT " .. row.what))
    end
    return different
end

local function main(options, scratch)
    local rows, sums = replay(options, scratch), {}
    for _, row in ipairs(rows) do
        sums[row.word] = (sums[row.word] or 0) + 1
        if options.all or row.word ~= "named" then
            print(("%-9s %-40s %-26s %s"):format(row.word, row.event, row.fault, row.what))
        end
    end
    local parts = {}
    for index, word in ipairs(WORDS) do
        parts[index] = ("%d %s"):format(sums[word] or 0, word)
    end
    print(("%s: %d faults: %s"):format(options.node, #rows, table.concat(parts, ", ")))
    local different = inject(rows, options, scratch)
    return (sums.missed or 0) + (sums.misnamed or 0) + different == 0 and #rows > 0
end

campaign.main(main, KINDS, { node = "virtual", patterns = "", inject = 0 })
