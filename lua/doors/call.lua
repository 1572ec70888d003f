-- call.lua - calls a door by name and checks names and types of the fields of its argument and its result.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- call.call(name, argument) -> the function's result. `name` is "DOOR", or "DOOR:KIND" for a door with kinds (doors/list.lua). Raises
-- one line that names door and field. Only top-level fields and types of list elements are checked, in a thousandth of a call's time.
local doors = require "doors.list"

local call = {}

-- Tests for the types of fields.
local IS = {
    text = function(value) return type(value) == "string" end,
    number = function(value) return type(value) == "number" end,
    whole = function(value) return math.type(value) == "integer" end,
    flag = function(value) return type(value) == "boolean" end,
    list = function(value) return type(value) == "table" and (next(value) == nil or math.type(next(value)) == "integer") end,
    object = function(value) return type(value) == "table" and (next(value) == nil or type(next(value)) == "string") end,
}

local function fits(value, kind)
    local element = kind:match "^list of (%a+)$"
    if not element then
        return IS[kind](value)
    end
    local is_right = IS.list(value)
    for _, one in pairs(is_right and value or {}) do
        is_right = is_right and IS[element](one)
    end
    return is_right
end

-- Raises a line, beginning with `what` and the door's `name`, if a value is not as declared: a type, or { [field] = type }, with "?"
-- at the type's end for an optional field.
local function check(value, declared, what, name)
    local function fail(format, ...)
        error(("door %s: %s %s; correct it or lua/doors/list.lua"):format(name, what, format:format(...)), 0)
    end
    if type(declared) == "string" then
        return fits(value, declared) or fail("is a %s, not a %s", type(value), declared)
    elseif not IS.object(value) then
        fail("is no object")
    end
    for field in pairs(value) do
        if not declared[field] then
            fail("has an unknown field '%s'", field)
        end
    end
    for field, kind in pairs(declared) do
        local needed = kind:match "^(.*)%?$"
        if value[field] == nil and not needed then
            fail("has no field '%s'", field)
        elseif value[field] ~= nil and not fits(value[field], needed or kind) then
            fail("has a %s in the field '%s', not a %s", type(value[field]), field, needed or kind)
        end
    end
end

-- The declaration of a name: { module =, call =, takes =, gives = }; a kind inherits fields from its door.
function call.find(name)
    local own, kind = name:match "^([%w_]+):?([%w_]*)$"
    local door = doors[own]
    local found = door and (door.kinds and door.kinds[kind] or kind == "" and not door.kinds and door)
    if not found then
        error(("door %s: lua/doors/list.lua declares none of that name"):format(name), 0)
    end
    return setmetatable({}, { __index = function(_, key) return found[key] or door[key] end })
end

function call.call(name, argument)
    local door = call.find(name)
    check(argument, door.takes, "the argument", name)
    local result = require(door.module)[door.call](argument)
    check(result, door.gives, "the result", name)
    return result
end

return call
