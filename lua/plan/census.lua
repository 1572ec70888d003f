-- census.lua - box census: finds which uncore boxes a node really has, by counting on all boxes that its architecture can have.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A processor may lack boxes of its architecture (memory channels), LIKWID may find devices that count nothing, and some boxes read
-- impossible values. One core of each NUMA domain streams from memory, which uses every slice, agent and channel.
local array = require "input.array"
local group_file = require "input.group"
local lists = require "input.lists"

local census = {}

census.GROUP = "ASSAY_CENSUS"
local CACHE_SIZES, DOUBLE = 2, 8 -- streamed bytes in sizes of the last-level cache; bytes of an element
local SILENT = 0.01 -- share of the largest count of a kind's boxes
local IMPOSSIBLE = 2 ^ 40 -- far above any count within a second

-- The first event that a group counts on a kind of boxes, with groups sorted by name; nil if there is none.
local function event_of(box, groups)
    local names = lists.sorted(groups)
    for _, name in ipairs(names) do
        for _, event in ipairs(groups[name].events) do
            if event.counter:match("^" .. box.name .. "%d+C%d+$") then
                return event
            end
        end
    end
    return nil
end

-- { machine =, groups = { [name] = group }, node = } -> { text = group file with one event on each possible box, elements = number that
-- each core streams }, or {} if the architecture has no boxes.
function census.plan(argument)
    local lines = { "SHORT Which boxes are there?", "", "EVENTSET" }
    for _, box in ipairs(argument.machine.counters) do
        local event = box.boxes and event_of(box, argument.groups)
        for number = 0, event and box.boxes - 1 or -1 do
            lines[#lines + 1] = ("%s %s"):format(group_file.with_options(("%s%dC0"):format(box.name, number), event.options), event.event)
        end
    end
    if #lines == 3 then
        return {}
    end
    for _, line in ipairs { "", "METRICS", "Runtime (RDTSC) [s] time", "", "LONG", "A count on each box.", "" } do
        lines[#lines + 1] = line
    end
    local caches = argument.node.caches
    return { text = table.concat(lines, "\n"), elements = CACHE_SIZES * caches[#caches].size_bytes // DOUBLE }
end

-- The largest count on the box over sockets, math.huge for one that no counter can have; nil if none has a value.
local function count_of(sockets, box, number)
    local largest
    local counter = ("%s%dC0"):format(box.name, number)
    for _, socket in ipairs(sockets) do
        local count = socket.absent[counter] == "wrapped" and math.huge or socket.counts[counter]
        largest = count and math.max(count, largest or 0) or largest
    end
    return largest
end

-- Sorts the numbers of a kind's boxes: present, absent, silent, impossible.
local function sort_boxes(sockets, box)
    local counts, largest, sorted = {}, 0, { present = array(), absent = {}, silent = {}, impossible = {} }
    for number = 0, box.boxes - 1 do
        counts[number] = count_of(sockets, box, number)
        if counts[number] and counts[number] < IMPOSSIBLE then
            largest = math.max(largest, counts[number])
        end
    end
    for number = 0, box.boxes - 1 do
        local count = counts[number]
        local kind = not count and "absent" or count >= IMPOSSIBLE and "impossible" or count < SILENT * largest and "silent" or "present"
        table.insert(sorted[kind], number)
    end
    return sorted
end

local GHOSTS = { silent = "silent while its siblings count", impossible = "reads impossible values" }

local function add_ghosts(ghosts, box, sorted)
    for _, kind in ipairs(lists.sorted(GHOSTS)) do
        lists.append(ghosts, sorted[kind], function(number) return ("%s %d ghost: %s"):format(box.name, number, GHOSTS[kind]) end)
    end
end

-- { machine =, sockets = array of { counts = { [counter] = count }, absent = { [counter] = reason } } } -> { boxes = { [kind] = array of
-- numbers of existing boxes }, absent = array of texts, ghosts = array of texts, one a box }. A kind without any counting box is left out,
-- because that is no fault of single boxes.
function census.judge(argument)
    local result = { boxes = {}, absent = array(), ghosts = array() }
    for _, box in ipairs(argument.machine.counters) do
        local sorted = box.boxes and sort_boxes(argument.sockets, box)
        if sorted and #sorted.present > 0 then
            result.boxes[box.name] = sorted.present
            add_ghosts(result.ghosts, box, sorted)
            if #sorted.absent > 0 then
                table.insert(result.absent, ("%s %s absent"):format(box.name, table.concat(sorted.absent, ", ")))
            end
        end
    end
    return result
end

-- Result of census.plan(), or of census.judge() if there are `sockets`.
function census.take(argument)
    return argument.sockets and census.judge(argument) or census.plan(argument)
end

return census
