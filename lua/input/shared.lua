-- shared.lua - takes from groups/counts.lua what architectures share: a machine's entries for groups of one name, and what silicon reaches.
-- SPDX-License-Identifier: GPL-3.0-or-later
local architecture = require "input.architecture"
local entries = require "input.entries"
local lists = require "input.lists"

local shared = {}

-- Key that identifies a count.
local function key_of(count)
    return table.concat({ count.quantity, count.group, count.metric }, "\n")
end

-- The counts of a machine: first those of the groups in its `alike`, from `file` = { text =, file = }, each with its `line` and
-- `file`, without quantities that are in its `cannot`; then its own. Sets machine.silicon. fail_at: of the machine's entries. Raises
-- "file:line: ...".
function shared.counts(machine, file, fail_at)
    local counts, taken = {}, {}
    if not machine.alike then
        return machine.counts or {}
    elseif not file then
        fail_at(machine)("machine.alike names groups of groups/counts.lua, which was not read")
    end
    local wanted, absent = lists.set(machine.alike), lists.set(machine.cannot or {}, "quantity")
    local read, fail_there, line_of = entries.read(file, "alike", architecture.KINDS, {})
    architecture.check_counts(read.counts, fail_there)
    machine.silicon = read.silicon
    for _, count in ipairs(read.counts) do
        local is_wanted = wanted[count.group] ~= nil
        if is_wanted then
            wanted[count.group] = false
        end
        if is_wanted and not absent[count.quantity] then
            taken[key_of(count)] = true
            count.line, count.file = line_of[count], file.file
            counts[#counts + 1] = count
        end
    end
    for _, group in ipairs(machine.alike) do
        if wanted[group] then
            fail_at(machine)("machine.alike names %s, of which %s says nothing", group, file.file)
        end
    end
    for _, count in ipairs(machine.counts or {}) do
        if taken[key_of(count)] then
            fail_at(count)("count of '%s' of %s, which is in `alike`: %s says it already", count.metric, count.group, file.file)
        end
        counts[#counts + 1] = count
    end
    return counts
end

return shared
