-- json.lua - reads JSON text into tables; null is absent.
-- SPDX-License-Identifier: GPL-3.0-or-later
local json = {}

local WORDS = { ["true"] = true, ["false"] = false }
local ESCAPES = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }
local read_value

local function skip(text, at)
    return text:find("[^ \t\r\n]", at) or #text + 1
end

local function fail(text, at)
    error(("JSON, byte %d: unexpected '%s'"):format(at, text:sub(at, at + 10)), 0)
end

-- The text at a quote, and the place behind it.
local function read_text(text, at)
    local plain = text:match('^"([^"\\]*)"', at)
    if plain then
        return plain, at + #plain + 2
    end
    local close = at
    repeat
        close = text:find('"', close + 1, true) or fail(text, at)
    until #text:sub(at + 1, close - 1):match "\\*$" % 2 == 0 -- an even number of backslashes: the quote is not escaped
    local raw = text:sub(at + 1, close - 1)
    raw = raw:gsub("\\u(%x%x%x%x)", function(code)
        return utf8.char(tonumber(code, 16))
    end)
    raw = raw:gsub("\\(.)", function(letter)
        return ESCAPES[letter] or letter
    end)
    return raw, close + 1
end

-- The members between brackets: `read_member` reads one and returns where it ends.
local function read_members(text, at, close, read_member)
    at = skip(text, at + 1)
    while text:sub(at, at) ~= close do
        at = skip(text, read_member(at))
        local mark = text:sub(at, at)
        if mark == "," then
            at = skip(text, at + 1)
        elseif mark ~= close then
            fail(text, at)
        end
    end
    return at + 1
end

local function read_object(text, at)
    local object = {}
    return object, read_members(text, at, "}", function(start)
        local key, after = read_text(text, start)
        local value, stop = read_value(text, skip(text, skip(text, after) + 1))
        object[key] = value
        return stop
    end)
end

local function read_array(text, at)
    local list, count = {}, 0
    return list, read_members(text, at, "]", function(start)
        local value, stop = read_value(text, start)
        count = count + 1
        list[count] = value
        return stop
    end)
end

function read_value(text, at)
    at = skip(text, at)
    local first = text:sub(at, at)
    if first == "{" then
        return read_object(text, at)
    elseif first == "[" then
        return read_array(text, at)
    elseif first == '"' then
        return read_text(text, at)
    end
    local word = text:match("^[%w.+-]+", at) or fail(text, at)
    local value = WORDS[word]
    if value == nil and word ~= "null" then
        value = tonumber(word) or fail(text, at)
    end
    return value, at + #word
end

function json.decode(text)
    return (read_value(text, 1))
end

function json.read(path)
    local file <close> = assert(io.open(path))
    return json.decode(file:read "a")
end

return json
