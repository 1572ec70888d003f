-- levels.lua - a machine's data cache levels, and the destination of their victims.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Level 1 is nearest to the core. Level i is node.caches[i] and is called Li; memory (MEM) is below the last level.
local levels = {}

-- machine.levels without instruction caches.
function levels.of_data(machine)
    local found = {}
    for _, level in ipairs(machine.levels) do
        if level.kind ~= "instructions" then
            found[#found + 1] = level
        end
    end
    return found
end

-- Is the level filled only by victims of the level above?
function levels.is_victim(level)
    return level.load_from == nil
end

-- Number of other lines after which a last level's directory invalidates a line that only L1 uses: an inclusive level evicts it as least
-- recent, a snoop filter reuses its entry. Shadow tags never do.
function levels.directory_lines(machine, node)
    local all = levels.of_data(machine)
    local last, bytes = all[#all], node.caches[#all].size_bytes
    if last.inclusive then
        return bytes // node.line_bytes
    end
    return last.snoop_filter and last.snoop_filter.entries * bytes // last.size or math.huge
end

return levels
