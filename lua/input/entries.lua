-- entries.lua - reads data files of entries (Lua tables, one constructor per kind) and checks each against its description.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The files are declarative. They run in a sandbox (sandbox/bridge.h), which provides little but one constructor per kind of
-- entry (`pattern {..}`, `code {..}`, ...). A constructor records its line, so a wrong field is reported as "file:line: ...".
-- Descriptions of kinds and fields: fields.lua.
local array = require "input.array"
local fields = require "input.fields"
local lists = require "input.lists"
local sandbox = require "sandbox"
local shown = require "input.shown"

local entries = {}

local OPEN = fields.OPEN

local function check_value(value, description, place, fail)
    if value ~= nil and value == description.or_word then
        return
    elseif type(value) ~= description.type then
        fail("%s must be a %s, not %s", place, description.type, value == nil and "absent" or type(value))
    elseif description.positive and (value <= 0 or value ~= value) then
        fail("%s must be greater than 0, not %s", place, tostring(value))
    elseif description.one_of and not lists.contains(description.one_of, value) then
        fail("%s must be one of %s, not '%s'", place, table.concat(description.one_of, ", "), tostring(value))
    elseif type(value) == "string" and value:find "%c" then
        fail("%s must be one line of text without control characters", place)
    elseif description.match and not value:match(description.match) then
        fail("%s has the wrong form: '%s'", place, value)
    end
end

-- Refuses values that a record cannot hold, also in tables without a description.
local function check_content(value, place, fail)
    if type(value) == "number" and (value ~= value or math.abs(value) == math.huge) then
        fail("%s must be a finite number, not %s", place, tostring(value))
    elseif type(value) == "string" and not utf8.len(value) then
        fail("%s must be UTF-8", place)
    elseif type(value) == "table" then
        for name, element in pairs(value) do
            check_content(name, place, fail)
            check_content(element, place .. "." .. tostring(name), fail)
        end
    end
end

local function check_list(value, description, place, fail, kind_of)
    if #value == 0 and not description.may_be_empty then
        fail("%s is empty", place)
    end
    array(value)
    for index, element in ipairs(value) do
        local here = ("%s[%d]"):format(place, index)
        if description.of == "string" or description.of == "number" then
            check_value(element, { type = description.of, one_of = description.one_of, match = description.match }, here, fail)
        elseif kind_of[element] ~= description.of then
            fail("%s must be written as %s { ... }", here, description.of)
        end
    end
end

-- Refuses fields of `what` whose names are not keys of `known`.
function entries.check_names(entry, known, what, fail)
    for name in pairs(entry) do
        if not known[name] then
            fail("%s has no field '%s'", what, tostring(name))
        end
    end
end

local function check_entry(entry, kind, described, fail, kind_of)
    if not described[OPEN] then
        entries.check_names(entry, described, kind, fail)
    end
    check_content(entry, kind, fail)
    for name, description in pairs(described) do
        local place, value = kind .. "." .. tostring(name), entry[name]
        if name ~= OPEN and (value ~= nil or not description.optional) then
            if description.of then
                check_value(value, { type = "table" }, place, fail)
                check_list(value, description, place, fail, kind_of)
            else
                check_value(value, description, place, fail)
                if description.entry and kind_of[value] ~= description.entry then
                    fail("%s must be written as %s { ... }", place, description.entry)
                end
            end
        end
    end
end

-- Runs the file { text =, file = } with one constructor per kind. Returns the checked entry of kind `root`, a function that fails at an
-- entry's line, and the entries' lines.
function entries.read(argument, root, kinds, helpers)
    local result, marks = sandbox.run { text = argument.text, file = argument.file, kinds = lists.sorted(kinds), helpers = helpers }
    local line_of, kind_of = {}, {}
    for entry, mark in pairs(marks) do
        line_of[entry], kind_of[entry] = mark.line, mark.kind
    end
    local function fail_at(entry)
        return function(text, ...)
            error(("%s:%d: "):format(argument.file, line_of[entry] or 1) .. text:format(...), 0)
        end
    end
    if kind_of[result] ~= root then
        error(("%s:1: the file must return %s { ... }"):format(argument.file, root), 0)
    end
    local order = lists.sorted(marks, function(a, b) return marks[a].order < marks[b].order end)
    for _, entry in ipairs(shown.apart(order, kinds, { kind_of = kind_of, line_of = line_of }, fail_at)) do
        check_entry(entry, kind_of[entry], kinds[kind_of[entry]], fail_at(entry), kind_of)
    end
    return result, fail_at, line_of
end

-- Checks that the fields `wanted` are whole numbers of at least 1.
function entries.check_numbers(numbers, wanted, place, fail)
    for _, name in ipairs(wanted) do
        if math.type(numbers[name]) ~= "integer" or numbers[name] < 1 then
            fail("%s.%s must be a whole number from 1 on", place, name)
        end
    end
end

-- Checks that the entries of a list differ in `key`. Returns { [its value] = true }.
function entries.check_unique(list, key, what, fail_at)
    local seen = {}
    for _, entry in ipairs(list) do
        if seen[entry[key]] then
            fail_at(entry)("%s '%s' is given twice", what, entry[key])
        end
        seen[entry[key]] = true
    end
    return seen
end

return entries
