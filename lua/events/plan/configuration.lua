-- configuration.lua - cache discovery: plans the next measurements that find a node's caches and TLBs from counts, and evaluates them.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- There are three stages. Each uses the results of the previous one, and nothing of what the node states:
--   1. units (line or page size L): in walks over more bytes than a part holds, every visit misses if visits are at least L apart,
--      and the share s / L if they are s < L apart
--   2. sizes: cyclic walks over n units (configuration/capacity.lua), in as many rounds as needed; and where pages begin: pairs of loads
--      after an array's start (configuration/boundary.lua)
--   3. sharing: two cores alternately walk over as much as nearly fills a cache; a cache shared by both cannot hold both
-- Pure functions. events/configuration/compare.lua calls configuration.next{ machine =, node =, groups =, list =, said =
-- (plan/events.lua), rounds = array of { jobs =, results =, reps = } so far } until there are no jobs: { jobs = array of jobs |nil, parts
-- = array of findings |nil }.
--
-- A job is as in plan.lua, with `walks`, array of { act =, n =, stride =, reach = bytes, for walks that find units |nil, other = the
-- second core |nil, apart = bytes, for pairs |nil, regions = { { region =, times = }, { .. } } }.
-- A finding is { part =, events = array of names, unit = bytes |nil, bytes = of caches, entries = of TLBs, ways =, sets =, shared = array
-- of cores that share the first core's cache |nil, reason = why something was not found |nil }. The finding of pages has begins = bytes
-- from the array's start to the next page, start = bytes from the page's start to the array's.
local array = require "input.array"
local boundary = require "events.configuration.boundary"
local capacity = require "events.configuration.capacity"
local concepts = require "input.concepts"
local event_set = require "events.plan.event_set"
local miss_expressions = require "events.plan.miss_expressions"
local levels = require "model.levels"
local lists = require "input.lists"
local pack = require "plan.pack"
local rounds = require "events.configuration.rounds"

local configuration = {}

-- Bytes to walk over, by visits and unit: increasing until a part does not hold them; a part that holds the last one is not found.
-- Smaller for code, because a virtual node translates each called place.
local REACHES = { load = { line = { 16 << 20, 256 << 20 }, page = { 16 << 20, 256 << 20 } },
    call = { line = { 64 << 10, 256 << 10 }, page = { 1 << 20, 4 << 20 } } }
local STRIDES = { line = { 32, 64, 128, 256 }, page = { 1024, 2048, 4096, 8192, 16384, 65536 } }
local ALL = 0.98 -- share of visits that miss if each one should
local HALF = 0.6 -- most misses per visit at half a unit's distance, if nothing is held
local VISITS = 2000 -- least number per region: outnumbers the instructions between passes
local FILLED = 0.85 -- of a cache, by each of two cores: fits alone, not together
local PAIRS = 1024 -- probes/pairs.c
local START = 0.3 -- of a page, from its start to the array's
local TRANSLATED = "DTLB" -- the part that misses once per page of a pair
local PROGRAM = "probes"

-- Documented events on the core's own counters: they count one core's walk.
local function usable(argument)
    local found, kept = event_set.choose { groups = argument.groups, machine = argument.machine, node = argument.node,
        list = argument.list, events = {}, all = true }, array()
    lists.append(kept, found, function(event)
        local counter = event.counters[1]
        return counter and counter:find "^PMC%d" and concepts.said_of(argument.said, event) and event
    end)
    return kept
end

local function is_walk(part, stride)
    return function(walk)
        return walk.act == part.act and not walk.other and (not stride or walk.stride == stride)
    end
end

-- The part's line or page size in bytes, nil, and the bytes that it does not hold; or nil and the reason; or nil, nil and the bytes to
-- walk over next.
local function unit_of(argument, part, expression)
    local reaches, reason = REACHES[part.act][part.unit], nil
    for i, reach in ipairs(reaches) do
        local shares, most = {}, 0
        rounds.each(argument.rounds, expression, function(walk)
            return walk.reach == reach and is_walk(part)(walk) and lists.contains(STRIDES[part.unit], walk.stride)
        end, function(walk, misses, why)
            reason = reason or why
            shares[walk.stride] = (misses or 0) / walk.n
            most = math.max(most, shares[walk.stride])
        end)
        if next(shares) == nil then
            return nil, nil, reach
        elseif most > 1 / ALL then
            return nil, ("a visit counts as %.3g misses: assay events says what is wrong"):format(most)
        end
        for _, stride in ipairs(STRIDES[part.unit]) do
            if shares[stride] >= ALL and (i == #reaches or (shares[stride // 2] or 0) <= HALF) then
                return stride, nil, reach
            end
        end
    end
    return nil, reason or ("it misses less than all of %d KiB"):format(reaches[#reaches] >> 10)
end

-- The argument `more` of capacity.find.
local function beside(machine, part, above)
    local level = part.level and levels.of_data(machine)[part.level]
    return { hot = part.act == "call" and 1 or 0, above = level and levels.is_victim(level) and above.entries or nil }
end

-- Result of capacity.find() for the part, from all rounds; most = number of units that it does not hold.
local function size_of(argument, part, expression, unit, above, most)
    local points, seen, reason = {}, {}, nil
    rounds.each(argument.rounds, expression, is_walk(part, unit), function(walk, misses, why)
        reason = reason or why
        if misses and not seen[walk.n] and not walk.reach then
            seen[walk.n] = true
            points[#points + 1] = { n = walk.n, misses = misses }
        end
    end)
    if reason then
        return nil, nil, reason
    end
    return capacity.find(points, most, beside(argument.machine, part, above))
end

-- Cores that share the cache with the first core, itself included, in the order of sockets; nil while not measured.
local function shared_by(argument, finding, expression)
    local cores, is_measured = array { argument.node.cpus_by_socket[1][1] }, false
    rounds.each(argument.rounds, expression, function(walk) return walk.other and walk.part == finding.part end, function(walk, misses)
        is_measured = true
        cores[#cores + 1] = misses and misses > walk.n / 2 and walk.other or nil
    end)
    return is_measured and cores or nil
end

local function other_cores(node)
    return lists.filter(lists.flat(node.cpus_by_socket), function(cpu)
        return cpu ~= node.cpus_by_socket[1][1]
    end)
end

-- Adds a walk to a job, as two regions; `words`: the program's arguments for code and places.
local function add_walk(job, walk, words)
    local least = math.max(2, VISITS // walk.n)
    walk.regions = array()
    for i, times in ipairs { 1, 1 + least } do
        local region = ("w%d.t%d"):format(#job.walks + 1, i)
        local arguments = lists.append(array(lists.joined(words)), { tostring(times) })
        job.points[#job.points + 1] = { region = region, code = words[1], arguments = arguments }
        walk.regions[i] = { region = region, times = times }
    end
    job.walks[#job.walks + 1] = walk
end

local function new_job(id, cpus)
    return { id = id, pattern = PROGRAM, program = PROGRAM, placement = "S0:1", cpus = array(cpus), points = array(),
        quantities = array(), walks = array() }
end

-- Adds runs to the job that count the events of the miss expressions.
local function count_by(job, argument, chosen)
    local events = lists.flat(miss_expressions.PARTS, function(part) return chosen[part.name] end)
    local groups = lists.map(lists.group(events, "name"), function(same) return event_set.as_group(same[1]) end)
    job.runs = pack.runs { groups = array(groups), machine = argument.machine }
    return job
end

local function add_once(job, seen, act, n, stride, reach)
    local key = ("%s %d %d"):format(act, n, stride)
    if not seen[key] then
        seen[key] = true
        add_walk(job, { act = act, n = n, stride = stride, reach = reach }, { "round_" .. act .. "s",
            tostring(n), tostring(stride), "1" })
    end
end

-- Adds a pair of loads `apart` bytes apart, the first one `start` bytes behind a page's start.
local function add_pair(job, unit, start, apart)
    local stride = 2 * unit
    add_walk(job, { act = "pair", n = PAIRS, stride = stride, apart = apart }, { "pairs", tostring(stride), tostring(start),
        tostring(apart) })
end

-- Plans walks of two cores at a time for each cache found.
local function plan_sharing(argument, chosen, findings)
    return array(lists.collect(other_cores(argument.node), function(other)
        local job = new_job("sharing" .. other, { argument.node.cpus_by_socket[1][1], other })
        for _, finding in ipairs(findings) do
            if finding.bytes and finding.level then
                local n = math.floor(FILLED * finding.held)
                add_walk(job, { part = finding.part, other = other, n = n, stride = finding.unit }, { "turns", tostring(n),
                    tostring(finding.unit) })
            end
        end
        return #job.walks > 0 and count_by(job, argument, chosen) or nil
    end))
end

-- The finding of a part when only its miss expression is known.
local function new_finding(part, kind, expression)
    return { part = part, kind = kind, events = array(lists.map(expression or {}, "event")) }
end

-- What is known of a part so far; second result: numbers of units to walk over next; third result: bytes to walk over next.
local function find_part(argument, part, expression, above)
    local finding = new_finding(part.name, part.unit == "page" and "TLB" or "cache", expression)
    finding.level = part.level
    if not expression then
        finding.reason = "no event is said to show it"
        return finding
    end
    local unit, why, reach = unit_of(argument, part, expression)
    if not unit then
        finding.reason = why
        return finding, nil, reach
    end
    finding.unit = unit
    local found, wanted, reason = size_of(argument, part, expression, unit, above, reach // unit)
    if not found then
        finding.reason = reason
        return finding, wanted
    end
    finding.held, finding.ways, finding.sets = found.held, found.ways, found.sets
    finding.entries = found.ways * found.sets
    finding.bytes = part.unit == "line" and finding.entries * unit or nil
    finding.shared = part.level and shared_by(argument, finding, expression)
    return finding
end

-- What is known of where pages begin; `unit` comes from the first TLB's finding. Second result: distances of pairs to measure next.
local function find_pages(argument, expression, unit)
    local finding = new_finding("pages", "pages", expression)
    finding.unit = unit
    if not unit then
        finding.reason = "their size is not known"
        return finding
    end
    local points, reason = {}, nil
    rounds.each(argument.rounds, expression, function(walk) return walk.act == "pair" end, function(walk, misses, why)
        reason = reason or why
        points[#points + 1] = misses and { apart = walk.apart, misses = misses / walk.n }
    end)
    if reason then
        finding.reason = reason
        return finding
    end
    local wanted
    finding.start = math.floor(START * unit)
    finding.begins, wanted, finding.reason = boundary.find(points, unit)
    return finding, wanted
end

function configuration.next(argument)
    local chosen = miss_expressions.choose(usable(argument), argument.said)
    local job, seen = new_job("walks" .. #argument.rounds, { argument.node.cpus_by_socket[1][1] }), {}
    local findings, above = array(), {}
    for i, part in ipairs(miss_expressions.PARTS) do
        local finding, wanted, reach = find_part(argument, part, chosen[part.name], above)
        for _, n in ipairs(wanted or {}) do
            add_once(job, seen, part.act, n, finding.unit)
        end
        for _, stride in ipairs(reach and STRIDES[part.unit] or {}) do
            add_once(job, seen, part.act, reach // stride, stride, reach)
        end
        findings[i], above = finding, finding
    end
    local translated = lists.find(findings, function(finding) return finding.part == TRANSLATED end)
    local pages, distances = find_pages(argument, chosen[TRANSLATED], translated.unit)
    for _, apart in ipairs(distances or {}) do
        add_pair(job, pages.unit, pages.start, apart)
    end
    findings[#findings + 1] = pages
    if #job.walks > 0 then
        return { jobs = array { count_by(job, argument, chosen) } }
    end
    local is_shared_known = lists.any(findings, function(finding) return finding.shared ~= nil end)
    local sharing = is_shared_known and {} or plan_sharing(argument, chosen, findings)
    return #sharing > 0 and { jobs = sharing } or { parts = findings }
end

return configuration
