-- json.lua - encodes Lua values as JSON that is safe inside a <script> element.
-- SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

local html_json = {}

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

-- Escapes '<' and '>' as well, so that "</script>" in a text cannot end the element.
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

-- A table with `n` is an array of n values, nil becomes null. A table with [1] and an empty table of array.lua are arrays; other
-- tables are objects with sorted keys. Numbers have up to `digits` digits (default 9; 17 are exact).
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
