-- json_text.lua - decodes JSON and keeps the line of each value. SPDX-License-Identifier: GPL-3.0-or-later
local json_text = {}

local ESCAPES = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }
local WORDS = { ["true"] = true, ["false"] = false, null = json_text }

-- Stands for null.
json_text.NULL = json_text

local function fail(state, what)
    error({ line = state.line, text = what }, 0)
end

local function skip_blanks(state)
    local blanks = state.text:match("^[ \t\r\n]*", state.at)
    state.at = state.at + #blanks
    local _, count = blanks:gsub("\n", "")
    state.line = state.line + count
end

-- The next character that is no blank, consumed if it is one of the pattern's.
local function take(state, pattern)
    skip_blanks(state)
    local found = state.text:match("^" .. pattern, state.at)
    state.at = state.at + #(found or "")
    return found
end

local function expect(state, pattern, what)
    return take(state, pattern) or fail(state, what .. " is expected")
end

local function take_string(state)
    local first = state.at
    repeat
        local at = state.text:find('["\\\n]', state.at)
        if not at or state.text:sub(at, at) == "\n" then
            fail(state, "a string is not closed")
        end
        local is_escape = state.text:sub(at, at) == "\\"
        state.at = at + (is_escape and 2 or 1)
    until not is_escape
    return (state.text:sub(first, state.at - 2):gsub("\\u(%x%x%x%x)", function(code) return utf8.char(tonumber(code, 16)) end)
        :gsub("\\(.)", function(char) return ESCAPES[char] or char end))
end

local take_value

local function take_member(state, object, lines)
    expect(state, '"', "a name in quotes")
    local line, name = state.line, take_string(state)
    expect(state, ":", "':'")
    if object[name] ~= nil then
        state.twice[#state.twice + 1] = { object = object, name = name, line = line }
    end
    object[name], lines[name] = take_value(state), line
end

local function take_all(state, close, take_one)
    if not take(state, close) then
        repeat
            take_one()
        until not take(state, ",")
        expect(state, close, "',' or '" .. close:gsub("%%", "") .. "'")
    end
end

function take_value(state)
    local start = take(state, '["{%[]')
    local value, lines = {}, { line = state.line }
    if start == '"' then
        return take_string(state)
    elseif start == "{" then
        take_all(state, "}", function() take_member(state, value, lines) end)
    elseif start == "[" then
        take_all(state, "%]", function() value[#value + 1] = take_value(state) end)
    else
        local word = take(state, "[%w+.-]+")
        value = WORDS[word]
        if value == nil then
            value = tonumber(word)
        end
        return value ~= nil and value or value == nil and fail(state, "a value is expected")
    end
    state.lines[value] = lines
    return value
end

-- -> the value, lines = { [object] = { line = its own, [1] = nothing, NAME = line of the member } }, twice = array of { object =, name =,
-- line = } of names that an object has twice. Raises { line =, text = }.
function json_text.decode(text)
    local state = { text = text, at = 1, line = 1, lines = {}, twice = {} }
    local value = take_value(state)
    skip_blanks(state)
    if state.at <= #text then
        fail(state, "the end of the file is expected")
    end
    return value, state.lines, state.twice
end

return json_text
