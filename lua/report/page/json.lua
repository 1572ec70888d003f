-- json.lua - Lua values as JSON that may stand inside a <script> element.
-- SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

local html_json = {}

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

-- '<' and '>' are escaped, too: "</script>" inside a text must not end the element.
local function text(value)
    return '"' .. value:gsub('[%c"\\<>]', function(char)
        return ESCAPES[char] or ("\\u%04x"):format(char:byte())
    end) .. '"'
end

local encode

local function list(value, count, digits)
    local parts = {}
    for i = 1, count do
        parts[i] = encode(value[i], digits)
    end
    return "[" .. table.concat(parts, ",") .. "]"
end

local function object(value, digits)
    local names = lists.sorted(value)
    local parts = lists.map(names, function(name) return text(name) .. ":" .. encode(value[name], digits) end)
    return "{" .. table.concat(parts, ",") .. "}"
end

-- A table with `n` is an array of n values, absent ones null; one with [1], or an empty one of array.lua, is an array; any other an
-- object, its keys sorted. Numbers have up to `digits` digits, nine if nothing is said; all of a number needs 17.
function encode(value, digits)
    local kind = type(value)
    if kind == "table" then
        local mark = getmetatable(value)
        local is_list = value.n or value[1] ~= nil or (mark and mark.__name == "array")
        return is_list and list(value, value.n or #value, digits) or object(value, digits)
    elseif kind == "number" then
        return ("%%.%dg"):format(digits or 9):format(value)
    elseif kind == "string" then
        return text(value)
    end
    return kind == "boolean" and tostring(value) or "null"
end

html_json.encode = encode

return html_json
