-- cousins.lua - an architecture's groups multiply an event by another number of bytes than those of other architectures.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- An architecture that uses one number of bytes everywhere may have lines of that size.
local linted = require "lint.linted"
local lists = require "input.lists"

-- { [event] = { [arch] = { bytes =, metric =, group = } | false: several } }, { [arch] = set of bytes }
local function read(groups)
    local by_event, sizes = {}, {}
    local function add(group, event, bytes, metric)
        local archs = by_event[event.key] or {}
        by_event[event.key] = archs
        local before = archs[group.arch]
        if before == nil then
            archs[group.arch] = { bytes = bytes, all = {} }
        elseif before and before.bytes ~= bytes then
            archs[group.arch] = false
        end
        if archs[group.arch] then
            lists.push(archs[group.arch], "all", { metric = metric, group = group })
        end
        sizes[group.arch] = sizes[group.arch] or {}
        sizes[group.arch][bytes] = true
    end
    for _, group in ipairs(groups) do
        linted.each_volume(group, function(event, bytes, metric)
            if not metric.uses.num_numadomains and not metric.uses.num_sockets then
                add(group, event, bytes, metric)
            end
        end)
    end
    return by_event, sizes
end

return {
    name = "cousins", class = "S17", severity = "warning", about = "all",
    title = "an architecture takes an event's counts for other bytes than most architectures with that event",
    check = function(groups, say)
        local by_event, sizes = read(groups)
        for _, key in ipairs(lists.sorted(by_event)) do
            local archs = by_event[key]
            local usual, others = linted.majority(lists.collect(lists.sorted(archs), function(arch)
                return archs[arch] and { value = archs[arch].bytes, arch = arch }
            end))
            for _, arch in ipairs(usual and lists.sorted(archs) or {}) do
                local one = archs[arch]
                local is_uniform = next(sizes[arch], next(sizes[arch])) == nil
                for _, place in ipairs(one and one.bytes ~= usual and not is_uniform and one.all or {}) do
                    say(place.group, place.metric.line, ("metric '%s' takes a count of %s for %s bytes, %s and others for %s"):format(
                        place.metric.title, key, one.bytes, others[1].arch, usual), ("its value is %s of theirs"):format(
                        linted.times(one.bytes / usual)))
                end
            end
        end
    end,
}
