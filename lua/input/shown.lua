-- shown.lua - expands an entry that describes several metrics: `shows = { shown { .. }, .. }`.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- An entry with `shows`, in a list that allows it (fields.lua), stands for one entry of its kind per `shown`, with the fields of both and
-- on the line of the `shown`.
local fields = require "input.fields"

local shown = {}

local function merge(entry, one, fail)
    local all = {}
    for name, value in pairs(entry) do
        all[name] = name ~= "shows" and value or nil
    end
    for name, value in pairs(one) do
        if all[name] ~= nil then
            fail("shown.%s is said of all that is shown here already", tostring(name))
        end
        all[name] = value
    end
    return all
end

-- The entries that an entry with `shows` stands for.
local function each_of(entry, marks, fail_at)
    local kind, all = marks.kind_of[entry], {}
    if type(entry.shows) ~= "table" or #entry.shows == 0 then
        fail_at(entry)("%s.shows must be a list of shown { ... }", kind)
    end
    for index, one in ipairs(entry.shows) do
        if marks.kind_of[one] ~= "shown" then
            fail_at(entry)("%s.shows[%d] must be written as shown { ... }", kind, index)
        end
        all[index] = merge(entry, one, fail_at(one))
        marks.kind_of[all[index]], marks.line_of[all[index]] = kind, marks.line_of[one]
    end
    return all
end

-- The list with some entries replaced by those in `instead`.
local function replaced(list, instead)
    local all = {}
    for _, entry in ipairs(list) do
        local each = instead[entry] or { entry }
        table.move(each, 1, #each, #all + 1, all)
    end
    return all
end

-- Expands a list: first fills `instead` for its entries with `shows`, then replaces them.
local function take_apart(list, instead, marks, fail_at)
    for _, entry in ipairs(list) do
        if marks.kind_of[entry] and entry.shows ~= nil then
            instead[entry] = instead[entry] or each_of(entry, marks, fail_at)
        end
    end
    return replaced(list, instead)
end

-- order: a file's entries; kinds: their description; marks = { kind_of =, line_of = } of the entries, to which new ones are added;
-- fail_at(entry) fails at an entry's line. Changes the lists; returns the entries after expansion.
function shown.apart(order, kinds, marks, fail_at)
    local instead = {}
    for _, entry in ipairs(order) do
        for name, description in pairs(kinds[marks.kind_of[entry]]) do
            if name ~= fields.OPEN and description.shown and type(entry[name]) == "table" and #entry[name] > 0 then
                entry[name] = take_apart(entry[name], instead, marks, fail_at)
            end
        end
    end
    return replaced(order, instead)
end

return shown
