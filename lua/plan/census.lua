-- census.lua - box census: finds which uncore boxes a node really has, by counting on all boxes that its architecture can have.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A processor may lack boxes of its architecture (memory channels), LIKWID may find devices that count nothing, and some boxes read
-- impossible values. One core of each NUMA domain streams from memory, which uses every slice, agent and channel.
local array = require "input.array"
local boxes = require "plan.boxes"
local group_file = require "input.group"
local lists = require "input.lists"

local census = {}

census.GROUP = "ASSAY_CENSUS"
local CACHE_SIZES, DOUBLE = 2, 8 -- streamed bytes in sizes of the last-level cache; bytes of an element
local SILENT = 0.01 -- share of the largest count of a kind's boxes
local IMPOSSIBLE = 2 ^ 40 -- far above any count within a second

-- The first event that a group counts on a kind of boxes, with groups sorted by name; nil if there is none.
local function event_of(box, groups)
    local events = lists.flat(lists.sorted(groups), function(name) return groups[name].events end)
    return lists.find(events, function(event) return event.counter:match("^" .. box.name .. "%d+C%d+$") end)
end

-- { machine =, groups = { [name] = group }, node = } -> { text = group file with one event on each possible box, elements = number that
-- each core streams }, or {} if the architecture has no boxes.
function census.plan(argument)
    local lines = { "SHORT Which boxes are there?", "", "EVENTSET" }
    for _, box in ipairs(argument.machine.counters) do
        local event = box.boxes and boxes.count(box, argument.machine, argument.node) > 0 and event_of(box, argument.groups)
        for number = 0, event and box.boxes - 1 or -1 do
            lines[#lines + 1] = ("%s %s"):format(group_file.with_options(("%s%dC0"):format(box.name, number), event.options), event.event)
        end
    end
    if #lines == 3 then
        return {}
    end
    lists.append(lines, { "", "METRICS", "Runtime (RDTSC) [s] time", "", "LONG", "A count on each box.", "" })
    local caches = argument.node.caches
    return { text = table.concat(lines, "\n"), elements = CACHE_SIZES * caches[#caches].size_bytes // DOUBLE }
end

-- The largest count on the box over some cores, math.huge for one that no counter can have; nil if none has a value.
local function count_of(cores, box, number)
    local largest
    local counter = ("%s%dC0"):format(box.name, number)
    for _, core in ipairs(cores) do
        local count = core.absent[counter] == "wrapped" and math.huge or core.counts[counter]
        largest = count and math.max(count, largest or 0) or largest
    end
    return largest
end

-- { kinds = { [box's number] = "present"|"absent"|"silent"|"impossible" }, largest = possible count }, from the counts of some cores.
local function sort_boxes(cores, box)
    local counts, largest, kinds = {}, 0, {}
    for number = 0, box.boxes - 1 do
        counts[number] = count_of(cores, box, number)
        if counts[number] and counts[number] < IMPOSSIBLE then
            largest = math.max(largest, counts[number])
        end
    end
    for number = 0, box.boxes - 1 do
        local count = counts[number]
        kinds[number] = not count and "absent" or count >= IMPOSSIBLE and "impossible" or count < SILENT * largest and "silent" or "present"
    end
    return { kinds = kinds, largest = largest }
end

-- The census of each socket { [index in node.cpus_by_socket] = }, without sockets on which no box of the kind counts.
local function sort_by_socket(cores, box, node)
    local sorted, largest = {}, 0
    for index, cpus in ipairs(node.cpus_by_socket) do
        sorted[index] = sort_boxes(lists.filter(cores, function(core) return lists.contains(cpus, core.cpu) end), box)
        largest = math.max(largest, sorted[index].largest)
    end
    for index = 1, #node.cpus_by_socket do
        if sorted[index].largest == 0 or sorted[index].largest < SILENT * largest then
            sorted[index] = nil
        end
    end
    return sorted
end

local GHOSTS = { silent = "silent while its siblings count", impossible = "reads impossible values" }

local function note(result, box, number, kind, where)
    if GHOSTS[kind] then
        table.insert(result.ghosts, ("%s %d ghost%s: %s"):format(box.name, number, where, GHOSTS[kind]))
    elseif where ~= "" then
        table.insert(result.absent, ("%s %d absent%s"):format(box.name, number, where))
    end
end

-- Adds a kind's boxes to the result. A box that some sockets lack is named once for each of them.
local function add_kind(result, box, sorted, node)
    local present, absent, sockets = array(), {}, lists.sorted(sorted)
    for number = 0, box.boxes - 1 do
        local indices = lists.filter(sockets, function(index) return sorted[index].kinds[number] ~= "present" end)
        if #indices < #sockets then
            present[#present + 1] = number
            for _, index in ipairs(indices) do
                table.insert(result.lacking[index], box.name .. number)
                note(result, box, number, sorted[index].kinds[number], (" on the socket of CPU %d"):format(node.cpus_by_socket[index][1]))
            end
        else
            local kinds = lists.map(indices, function(index) return sorted[index].kinds[number] end)
            local ghost = lists.find({ "impossible", "silent" }, function(kind) return lists.contains(kinds, kind) end)
            absent[#absent + 1] = not ghost and number or nil
            note(result, box, number, ghost, "")
        end
    end
    result.boxes[box.name] = present
    if #absent > 0 then
        table.insert(result.absent, ("%s %s absent"):format(box.name, table.concat(absent, ", ")))
    end
end

-- { machine =, node =, sockets = array of { cpu =, counts = { [counter] = count }, absent = { [counter] = reason } }, one a measured
-- core } -> { boxes = { [kind] = array of numbers of boxes that exist on any socket }, lacking = for each socket (node.cpus_by_socket)
-- an array of those that it lacks, "MBOX3", or nil if no socket lacks any, absent = array of texts, ghosts = array of texts }. A kind
-- without any counting box is left out, because that is no fault of single boxes.
function census.judge(argument)
    local lacking = array(lists.map(argument.node.cpus_by_socket, function() return array() end))
    local result = { boxes = {}, lacking = lacking, absent = array(), ghosts = array() }
    for _, box in ipairs(argument.machine.counters) do
        local sorted = box.boxes and sort_by_socket(argument.sockets, box, argument.node)
        if sorted and next(sorted) then
            add_kind(result, box, sorted, argument.node)
        end
    end
    result.lacking = lists.any(lacking, function(names) return #names > 0 end) and lacking or nil
    return result
end

-- Result of census.plan(), or of census.judge() if there are `sockets`.
function census.take(argument)
    return argument.sockets and census.judge(argument) or census.plan(argument)
end

return census
