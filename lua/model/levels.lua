-- levels.lua - a machine's data cache levels, and the destination of their victims.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Level 1 is nearest to the core. Level i is node.caches[i] and is called Li; memory (MEM) is below the last level.
local levels = {}

local PAGE = 4096 -- bytes of x86-64's small page

-- Why nothing that depends on the levels can be modelled; nil if the machine file states them.
function levels.lacking(machine)
    return not machine.levels and ("groups/%s/machine.lua states no levels"):format(machine.arch) or nil
end

-- machine.levels without instruction caches; raises if there are none (levels.lacking).
function levels.of_data(machine)
    if not machine.levels then
        error(levels.lacking(machine), 0)
    end
    local found = {}
    for _, level in ipairs(machine.levels) do
        if level.kind ~= "instructions" then
            found[#found + 1] = level
        end
    end
    return found
end

-- The machine file's entry for the data cache with this number.
function levels.of(machine, number)
    return levels.of_data(machine)[number]
end

function levels.page(machine)
    return machine.processor and machine.processor.page or PAGE
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
