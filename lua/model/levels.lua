-- levels.lua - a machine's levels that hold data, and where what each of them gives up goes.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Level 1 is the core's first; the numbers are those of node.caches and of the names, and MEM lies below the last.
local levels = {}

-- machine.levels without those of instructions.
function levels.of_data(machine)
    local found = {}
    for _, level in ipairs(machine.levels) do
        if level.kind ~= "instructions" then
            found[#found + 1] = level
        end
    end
    return found
end

-- Is the level filled by what the level above gives up, and by nothing else?
function levels.is_victim(level)
    return level.load_from == nil
end

-- Lines after which the directory of a last level takes from L1 what L1 alone uses: an inclusive one has grown old with the line and gives
-- it up, one next to it has forgotten it. Tags that shadow the caches above never do.
function levels.directory_lines(machine, node)
    local all = levels.of_data(machine)
    local last, bytes = all[#all], node.caches[#all].size_bytes
    if last.inclusive then
        return bytes // node.line_bytes
    end
    return last.snoop_filter and last.snoop_filter.entries * (bytes // last.size) or math.huge
end

return levels
