-- schema.lua - reads pattern and machine files (Lua tables) and checks them: wrong data stop here, with file and line.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The files are declarative. They see nothing but one constructor per kind of entry (`pattern {..}`, `code {..}`, ...), each of
-- which notes the line it stands on, so that a wrong field is reported as "file:line: ...".
local array = require "array"

local schema = {}

-- A field: { type, optional = true, one_of = {..}, list = kind of the elements }. A kind: { [field] = description }.
local function field(kind, more)
    local description = more or {}
    description.type = kind
    return description
end

local function list(of, more)
    local description = more or {}
    description.type, description.of = "table", of
    return description
end

local TEXT, POSITIVE, TRUTH = field "string", field("number", { positive = true }), field "boolean"
local TEXTS = list "string"

local PATTERN_KINDS = {
    pattern = {
        name = TEXT,
        title = TEXT,
        class = field("string", { one_of = { "bottleneck", "hazard", "work" } }),
        about = field("string", { optional = true }),
        codes = list "code",
        levels = list "level",
        controls = field "table",
    },
    code = { name = TEXT, kernel = TEXT },
    level = {
        name = field("string", { match = "^%u[%u%d]*$" }),
        boundaries = list("string", { match = "^%w+%-%w+$" }),
        placements = list("string", { one_of = { "core", "socket" } }),
        points = POSITIVE,
        points_quick = POSITIVE,
        interval_pct = POSITIVE,
    },
    control = { level = TEXT, placement = field("string", { one_of = { "core", "socket" } }) },
}

local MACHINE_KINDS = {
    machine = {
        arch = TEXT,
        title = TEXT,
        counter_bits = POSITIVE,
        counters = list "counters",
        caches = list "cache",
        traffic = list "traffic",
        errata = list("erratum", { may_be_empty = true }),
    },
    counters = {
        name = TEXT,
        count = POSITIVE,
        boxes = field("number", { optional = true, positive = true }),
        fixed = field("boolean", { optional = true }),
        shared_options = list("string", { optional = true }),
    },
    cache = { level = POSITIVE, write_allocate = TRUTH, write_back = TRUTH, inclusive = TRUTH },
    traffic = {
        boundary = field("string", { match = "^L%d%-%w+$" }),
        group = TEXT,
        scope = field("string", { one_of = { "core", "socket" } }),
        tolerance_pct = POSITIVE,
        reason = TEXT,
        volume = field "table",
        bandwidth = field "table",
    },
    erratum = { id = TEXT, events = TEXTS, about = TEXT },
}

local function contains(values, wanted)
    for _, value in ipairs(values) do
        if value == wanted then
            return true
        end
    end
    return false
end

local function check_value(value, description, place, fail)
    if type(value) ~= description.type then
        fail("%s must be a %s, not %s", place, description.type, value == nil and "absent" or type(value))
    elseif description.positive and (value <= 0 or value ~= value) then
        fail("%s must be greater than 0, not %s", place, tostring(value))
    elseif description.one_of and not contains(description.one_of, value) then
        fail("%s must be one of %s, not '%s'", place, table.concat(description.one_of, ", "), tostring(value))
    elseif description.match and not value:match(description.match) then
        fail("%s has the wrong form: '%s'", place, value)
    end
end

local function check_list(value, description, place, fail, kind_of)
    if #value == 0 and not description.may_be_empty then
        fail("%s is empty", place)
    end
    array(value)
    for index, element in ipairs(value) do
        local here = ("%s[%d]"):format(place, index)
        if description.of == "string" then
            check_value(element, { type = "string", one_of = description.one_of, match = description.match }, here, fail)
        elseif kind_of[element] ~= description.of then
            fail("%s must be written as %s { ... }", here, description.of)
        end
    end
end

local function check_entry(entry, kind, fields, fail, kind_of)
    for name in pairs(entry) do
        if not fields[name] then
            fail("%s has no field '%s'", kind, tostring(name))
        end
    end
    for name, description in pairs(fields) do
        local place, value = kind .. "." .. name, entry[name]
        if value ~= nil or not description.optional then
            if description.of then
                check_value(value, { type = "table" }, place, fail)
                check_list(value, description, place, fail, kind_of)
            else
                check_value(value, description, place, fail)
            end
        end
    end
end

-- Runs the file with one constructor per kind in its environment and returns the entry of kind `root`, checked, and
-- a function that fails at an entry's line.
local function read(argument, root, kinds)
    local line_of, kind_of = {}, {}
    local function fail_at(entry)
        return function(text, ...)
            error(("%s:%d: "):format(argument.file, line_of[entry] or 1) .. text:format(...), 0)
        end
    end
    local environment = {}
    for kind, fields in pairs(kinds) do
        environment[kind] = function(entry)
            local line = debug.getinfo(2, "l").currentline
            if type(entry) ~= "table" then
                error(("%s:%d: %s takes a table"):format(argument.file, line, kind), 0)
            end
            line_of[entry], kind_of[entry] = line, kind
            check_entry(entry, kind, fields, fail_at(entry), kind_of)
            return entry
        end
    end
    local chunk, message = load(argument.text, "@" .. argument.file, "t", environment)
    if not chunk then
        error(message, 0)
    end
    local ok, result = pcall(chunk)
    if not ok then
        error(result, 0)
    end
    if kind_of[result] ~= root then
        error(("%s:1: the file must return %s { ... }"):format(argument.file, root), 0)
    end
    return result, fail_at
end

local function check_unique(entries, key, what, fail_at)
    local seen = {}
    for _, entry in ipairs(entries) do
        if seen[entry[key]] then
            fail_at(entry)("%s '%s' is given twice", what, entry[key])
        end
        seen[entry[key]] = true
    end
    return seen
end

-- { text =, file = } -> the pattern of patterns/NAME.lua. Raises "file:line: ...".
function schema.pattern(argument)
    local pattern, fail_at = read(argument, "pattern", PATTERN_KINDS)
    check_unique(pattern.codes, "name", "code", fail_at)
    local levels = check_unique(pattern.levels, "name", "level", fail_at)
    for _, which in ipairs { "present", "absent" } do
        local control = pattern.controls[which]
        if type(control) ~= "table" or not levels[control.level] then
            fail_at(pattern)("controls.%s must be control { level = one of the pattern's levels, .. }", which)
        end
    end
    return pattern
end

-- { text =, file = } -> the machine of groups/ARCH/machine.lua. Raises "file:line: ...".
function schema.machine(argument)
    local machine, fail_at = read(argument, "machine", MACHINE_KINDS)
    check_unique(machine.counters, "name", "counter box", fail_at)
    check_unique(machine.errata, "id", "erratum", fail_at)
    for level, cache in ipairs(machine.caches) do
        if cache.level ~= level then
            fail_at(cache)("caches must be listed from level 1 on; this is level %s at place %d", cache.level, level)
        end
    end
    for _, traffic in ipairs(machine.traffic) do
        for _, kind in ipairs { "volume", "bandwidth" } do
            for _, direction in ipairs { "load", "evict", "total" } do
                if type(traffic[kind][direction]) ~= "string" then
                    fail_at(traffic)("%s.%s must name a metric of %s", kind, direction, traffic.group)
                end
            end
        end
    end
    return machine
end

return schema
