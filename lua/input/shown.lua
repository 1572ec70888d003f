-- shown.lua - entries that say the same of several metrics, taken apart: `shows = { shown { .. }, .. }`.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- An entry with `shows`, in a list that may have such ones (fields.lua), stands for one entry of its kind for each `shown`, on that one's
-- line, with the fields of both.
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

-- order: a file's entries; kinds: their description; marks = { kind_of =, line_of = } of them, to which the new ones are added;
-- fail_at(entry) fails at an entry's line. Changes the lists; returns the entries with those that others stand for instead of these.
function shown.apart(order, kinds, marks, fail_at)
    local all, instead = {}, {}
    for _, entry in ipairs(order) do
        for name, description in pairs(kinds[marks.kind_of[entry]]) do
            local list = {}
            local may_be = name ~= fields.OPEN and description.shown and type(entry[name]) == "table"
            for _, element in ipairs(may_be and entry[name] or {}) do
                if marks.kind_of[element] and element.shows ~= nil then
                    instead[element] = instead[element] or each_of(element, marks, fail_at)
                end
                local each = instead[element] or { element }
                table.move(each, 1, #each, #list + 1, list)
            end
            entry[name] = #list > 0 and list or entry[name]
        end
    end
    for _, entry in ipairs(order) do
        local each = instead[entry] or { entry }
        table.move(each, 1, #each, #all + 1, all)
    end
    return all
end

return shown
