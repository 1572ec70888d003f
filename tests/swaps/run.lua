-- run.lua - tests which pairs of events a campaign can distinguish: it tries every swap of two events of an architecture's groups.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--     lua5.4 tests/swaps/run.lua [ARCH] [--node NODE [--patterns WORDS]] [--event TEXT] [--inject N] [--all]
--
-- from the project's folder; BUILD as for make. Runs a quick campaign once on each node that tests/swaps/ARCH.lua names, or on NODE,
-- with plan.lua and assess.lua of this folder instead of those of lua/. Prints the pairs that cannot be distinguished (--all: every pair).
-- --inject N: N of the swaps that were found, spread over all, are injected into the virtual node, and a campaign must find them, too. For
-- a shorter run: --event takes only events whose names match the Lua pattern TEXT, --patterns only these patterns (and their options).
--
-- tests/swaps/ARCH.lua: { nodes = { { NODE, patterns = words |nil: those that are cheap } .. },
--   no_event = { EVENT = reason } |nil: names in groups that look like events but are not,
--   same = { { FIRST, SECOND, ways = "first second both", reason = } .. } }: the ways (assess.lua) of swapping the two, in the order of
--   their names, that no quick run detects; names are Lua patterns.
-- Exit status 1 if a swap is missed on all nodes and not listed, if a listed swap is found or possible on no node, or if an injected swap
-- is not found.

-- Cheap patterns are enough: further patterns can only find more swaps.
local PATTERNS = "address_aliasing atomic_updates avx_flops bandwidth_saturation control_flow line_sharing long_latency "
    .. "store_forwarding vector_transitions"
local campaign = dofile "tests/campaign.lua"
local BUILD, must, run = campaign.BUILD, campaign.must, campaign.run

-- Adds what the campaign on a node found of events that match `event` to `swaps`: { [WAY FIRST SECOND] = { way =, first =, second =,
-- found =, .. } }, and to `order`.
local function measure(root, scratch, entry, event, no_event, swaps, order)
    local node = entry[1]
    local out = scratch .. "/found"
    local command = "SWAPS_ROOT=%s SWAPS_OUT=%s SWAPS_EVENT='%s' ASSAY_DATA=%s/data %s/assay validate %s --quick --node %s "
        .. "--out %s/record.json"
    must(command:format(root, out, event, scratch, BUILD, entry.patterns or PATTERNS, node, scratch))
    for line in io.lines(out) do
        local way, first, second, what, pattern, code, level = line:match "^(%S+) (%S+) (%S+) (%S+) ?(%S*) ?(%S*) ?(%S*)$"
        local key = ("%s %s %s"):format(way, first, second)
        local is_pair = not no_event[first] and not no_event[second]
        if is_pair and not swaps[key] then
            swaps[key] = { way = way, first = first, second = second }
            order[#order + 1] = key
        end
        if is_pair and what == "found" and not swaps[key].found then
            swaps[key].found = { node = node, pattern = pattern, code = code, level = level }
        end
    end
end

-- The listed entry that says that the swap cannot be detected; nil if there is none.
local function entry_of(swap, listed)
    for _, entry in ipairs(listed) do
        local is_pair = swap.first:find("^" .. entry[1] .. "$") and swap.second:find("^" .. entry[2] .. "$")
        if is_pair and (" " .. entry.ways .. " "):find(" " .. swap.way .. " ", 1, true) then
            return entry
        end
    end
    return nil
end

local function describe(swap)
    local text = { first = "%s counts %s", second = "%s is counted by %s", both = "%s and %s exchanged" }
    return text[swap.way]:format(swap.first, swap.second)
end

-- Compares found and listed swaps of events that match `event`. Returns the number of those that disagree.
local function compare(swaps, order, listed, event, all)
    local wrong, found, used = 0, 0, {}
    for _, key in ipairs(order) do
        local swap, entry = swaps[key], entry_of(swaps[key], listed)
        local reason = entry and entry.reason
        used[entry or listed] = true
        found = found + (swap.found and 1 or 0)
        if (swap.found ~= nil) == (reason ~= nil) then
            wrong = wrong + 1
            local how = swap.found and "found, though listed as the same" or "not found, and not listed"
            print(("WRONG: %s: %s"):format(describe(swap), how))
        elseif reason or all then
            local where = swap.found or {}
            print(("%s: %s"):format(describe(swap), reason or ("found by %s %s %s"):format(where.pattern, where.code, where.level)))
        end
    end
    for _, entry in ipairs(listed) do
        if not used[entry] and entry[1]:find(event) and entry[2]:find(event) then
            wrong = wrong + 1
            print(("WRONG: listed, but no swap of these nodes: %s, %s"):format(entry[1], entry[2]))
        end
    end
    print(("%d swaps of two events: %d found, %d cannot be told apart"):format(#order, found, #order - found))
    return wrong
end

-- Faults name events without filters, so they cannot swap an event that has a filter.
local function fault_of(swap)
    local lines = {}
    local function add(event, other)
        lines[#lines + 1] = ("%s swap %s"):format(event:match "^[^:]+", other:match "^[^:]+")
        return not (event .. other):find "MATCH"
    end
    local can = true
    if swap.way ~= "second" then
        can = add(swap.first, swap.second) and can
    end
    if swap.way ~= "first" then
        can = add(swap.second, swap.first) and can
    end
    return can and table.concat(lines, "\n") .. "\n" or nil
end

-- Injects `count` of the swaps that were found, where they were found. Returns how many of these the real campaign misses.
local function inject(swaps, order, count, scratch)
    local able, missed = {}, 0
    for _, key in ipairs(order) do
        if swaps[key].found and fault_of(swaps[key]) then
            able[#able + 1] = swaps[key]
        end
    end
    for _, swap in ipairs(campaign.spread(able, count)) do
        local where = swap.found
        campaign.write(scratch .. "/fault", fault_of(swap))
        local level = where.level ~= "-" and "--level " .. where.level or ""
        local text, status = run(("%s/assay validate %s --quick --only %s %s --node %s --fault %s/fault --out %s/fault.json"):format(BUILD,
            where.pattern, where.code, level, where.node, scratch, scratch))
        local is_found = false
        for _, word in ipairs { "correctable", "missing", "rejected", "qualitative" } do
            is_found = is_found or status == 0 and text:find("%d " .. word) ~= nil
        end
        print(("injected: %s: %s"):format(describe(swap), is_found and "found" or "MISSED"))
        missed = missed + (is_found and 0 or 1)
    end
    return missed
end

local function main(options, scratch)
    local listed = dofile(("tests/swaps/%s.lua"):format(options.arch))
    local root, swaps, order = must "pwd", {}, {}
    campaign.data(root, scratch .. "/data", { ["plan/plan.lua"] = "swaps/plan.lua", ["judge/assess.lua"] = "swaps/assess.lua" })
    for _, node in ipairs(options.node and { { options.node, patterns = options.patterns } } or listed.nodes) do
        measure(root, scratch, node, options.event, listed.no_event or {}, swaps, order)
    end
    table.sort(order)
    local wrong = compare(swaps, order, listed.same, options.event, options.all)
    wrong = wrong + inject(swaps, order, options.inject, scratch)
    return wrong == 0
end

campaign.main(main, { node = "text", patterns = "text", event = "text", inject = "number", all = "flag" },
    { arch = "haswellEP", event = "", inject = 0 }, "arch")
