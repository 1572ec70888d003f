-- boxes.lua - which uncore boxes a node has, and the part of a group that it can count.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Like LIKWID's own, a group file lists the boxes of an architecture's largest processor. A box that was not found, or that the node's
-- topology excludes, is not programmed, has no metric and is no term of a sum; it is neither 0 nor missing. A box that should exist but
-- gives no value stays absent, and so does every sum over it.
local array = require "input.array"
local formula = require "input.formula"
local levels = require "model.levels"
local lists = require "input.lists"
local versions = require "input.versions"

local boxes = {}

-- Last-level slices per socket: from the cache's size, because processors with disabled cores may keep their slices. nil if the machine
-- file does not state the last level.
local function count_slices(machine, node, domains)
    if not machine.levels then
        return nil
    end
    local all = levels.of_data(machine)
    local last, cache = all[#all], node.caches[#node.caches]
    if last.slices ~= "core" then
        return domains * (last.slices or 1)
    end
    return math.max(node.cores_per_socket, domains * (cache.size_bytes // last.size))
end

-- Units per socket; nil where only a census can tell.
local UNITS = {
    core = function(_, node) return node.cores_per_socket end,
    slice = count_slices,
    domain = function(_, _, domains) return domains end,
    numa = function(_, node) return math.max(1, (node.numa_domains or 0) // node.sockets) end,
    channel = function(_, node) return node.channels end,
    agent = function(_, node) return node.agents end,
    hbm = function(_, node) return node.hbm_channels or not node.hbm and 0 or nil end,
    socket = function() return 1 end,
}

-- Boxes of one kind (machine.counters) that a socket of the node should have; nil where only a census can tell.
local function expected(box, machine, node)
    if not box.one_per then
        return nil
    end
    local domains = math.max(1, (node.domains or #node.cpus_by_domain) // node.sockets)
    local units = UNITS[box.one_per](machine, node, domains)
    return units and (box.each or 1) * math.tointeger(units)
end

-- Number of boxes of one kind per socket of the node that LIKWID can count on.
function boxes.count(box, machine, node)
    local most = box.boxes or 1
    return math.min(most, expected(box, machine, node) or most)
end

-- Numbers of a kind's boxes that are PCI devices of the node; nil if none is seen: then all may be there, but hidden.
function boxes.seen(box, node)
    local devices = lists.set(node.pci or {})
    local found = array(lists.collect(box.devices or {}, function(device, index) return devices[device] and index - 1 end))
    return #found > 0 and found or nil
end

-- Does the node have box `number` of a kind? From the box census (plan/census.lua); without one, from PCI devices and topology.
function boxes.has(box, number, machine, node)
    local found = (node.boxes or {})[box.name] or boxes.seen(box, node)
    if not found then
        return number < boxes.count(box, machine, node)
    end
    return lists.contains(found, number)
end

-- { [kind] = numbers of the node's boxes }, found by the census or known of a virtual node; nil without a census.
function boxes.list(machine, node)
    local found = node.boxes or node.channels and {}
    for _, box in ipairs(found ~= node.boxes and machine.counters or {}) do
        if box.boxes then
            found[box.name] = array()
            for number = 0, boxes.count(box, machine, node) - 1 do
                table.insert(found[box.name], number)
            end
        end
    end
    return found
end

local function is_absent(event, machine, node)
    for _, box in ipairs(machine.counters) do
        local number = box.boxes and event.counter:match("^" .. box.name .. "(%d+)C%d+$")
        if number then
            local index = tonumber(number)
            return index < box.boxes and not boxes.has(box, index, machine, node)
        end
    end
    return false
end

-- The group without the events for which is_lost(event) holds: itself if there are none.
local function without(group, is_lost)
    local absent = lists.set(lists.filter(group.events, is_lost), "name")
    if not next(absent) then
        return group
    end
    local events = array(lists.filter(group.events, function(event) return not absent[event.name] end))
    local metrics = array(lists.collect(group.metrics, function(metric)
        local parsed = formula.without(metric.parsed or formula.parse(metric.formula), absent)
        return parsed and { name = metric.name, unit = metric.unit, formula = metric.formula, parsed = parsed }
    end))
    return { name = group.name, short = group.short, long = group.long, events = events, metrics = metrics }
end

-- A group (group.parse) as the node can count it: the group itself if nothing is absent, else a copy without the absent boxes. A
-- metric of the copy keeps lost terms in `formula`; `parsed` lacks them and is what to evaluate.
function boxes.fit(group, machine, node)
    return without(group, function(event) return is_absent(event, machine, node) end)
end

-- Boxes of other sockets ("MBOX3") that the socket of `cpu` lacks, by the census.
function boxes.lacking(node, cpu)
    for index, names in ipairs(node.lacking or {}) do
        if lists.contains(node.cpus_by_socket[index], cpu) then
            return names
        end
    end
    return {}
end

-- A group of boxes.fit as the socket of `cpu` can count it. All sockets are measured with the same group file, so this concerns evaluation
-- only, and LIKWID's own sums on this socket are wrong.
function boxes.fit_socket(group, node, cpu)
    local lacking = boxes.lacking(node, cpu)
    return #lacking == 0 and group or without(group, function(event)
        return lists.contains(lacking, event.counter:match "^(%a+%d+)C%d+$")
    end)
end

-- Why sums over slices lack some of them: LIKWID's table has fewer boxes than the socket has slices. nil if it has enough.
local function why_partial(group, machine, node)
    for _, box in ipairs(machine.counters) do
        local slices = box.boxes and box.one_per == "slice" and expected(box, machine, node)
        if slices and slices > box.boxes and lists.any(group.events, function(event)
            return event.counter:find("^" .. box.name .. "%d")
        end) then
            return ("LIKWID counts in %d of a socket's %d slices"):format(box.boxes, slices)
        end
    end
end

-- Why a group that counts on high-bandwidth memory alone shows nothing: nodes of the architecture need not have it.
local function why_none(group, machine, node)
    local hbm = lists.find(machine.counters, function(box) return box.one_per == "hbm" end)
    local uncore = lists.filter(group.events, function(event) return event.counter:find "%dC%d" end)
    local is_its = hbm and #uncore > 0 and lists.all(uncore, function(event) return event.counter:find("^" .. hbm.name .. "%d") end)
    return is_its and boxes.count(hbm, machine, node) == 0 and "the node has no high-bandwidth memory beside the other" or nil
end

boxes.INTERLEAVED = "memory is interleaved over the sockets (firmware: NUMA is off), and each counts its own part"

local OF_MEMORY = { channel = true, agent = true }

-- Whether pages lie on all sockets in turn, as firmware may arrange it: a socket then counts a part of its cores' traffic.
function boxes.is_interleaved(node)
    return (node.numa_domains or node.sockets) < node.sockets
end

local function counts_memory(group, machine)
    return lists.contains(machine.one_numa or {}, group.name) or lists.any(machine.counters, function(box)
        return OF_MEMORY[box.one_per] and lists.any(group.events, function(event) return event.counter:find("^" .. box.name .. "%d") end)
    end)
end

-- Why the group's metrics are wrong on the node; nil if they are not.
local function why_unfit(group, machine, node)
    local numas = UNITS.numa(machine, node)
    return group.inexpressible or versions.why_unfit(group, machine) or why_partial(group, machine, node)
        or why_none(group, machine, node)
        or boxes.is_interleaved(node) and counts_memory(group, machine) and boxes.INTERLEAVED
        or numas > 1 and lists.contains(machine.one_numa or {}, group.name)
        and ("right only where a socket is one NUMA domain, not %d (NPS%d)"):format(numas, numas) or nil
end

-- Applies boxes.fit to all `groups` { [name] = group }. A group that is wrong on the node is left without events and metrics; `unfit`
-- is the reason.
function boxes.fit_all(groups, machine, node)
    local fitted = {}
    for name, group in pairs(groups) do
        local unfit = why_unfit(group, machine, node)
        fitted[name] = unfit and { name = name, short = group.short, long = group.long, events = array(), metrics = array(), unfit = unfit }
            or boxes.fit(group, machine, node)
    end
    return fitted
end

return boxes
