-- readers.lua - reads files of other tools as groups that the rules can check. SPDX-License-Identifier: GPL-3.0-or-later
--
-- The format is found in the content. A reader has is(decoded JSON or text), read(file, ..) -> array of groups in the form of
-- group.parse_noting, and architecture(files |nil) -> what the rules may compare with (lint/lint.lua).
local clustercockpit = require "lint.readers.clustercockpit"
local json_text = require "lint.readers.json_text"
local lists = require "input.lists"
local neutral = require "lint.readers.neutral"
local papi = require "lint.readers.papi"
local perf = require "lint.readers.perf"

local readers = {}

local WORDS = { set = "the file", unread = "nothing of it is read" }

local function nothing()
    return {}
end

local function read_json(file)
    local ok, value, lines, twice = pcall(json_text.decode, file.text)
    if not ok then
        local one = neutral.new(file, file.file, WORDS)
        neutral.note(one, value.line or error(value, 0), "formula", "this is no JSON: %s", value.text)
        return { one }, nothing
    end
    local reader = lists.find({ perf, clustercockpit }, function(one) return one.is(value) end)
    return reader and reader.read(file, value, lines, twice) or {}, reader and reader.architecture or nothing
end

-- file = { file =, text = } -> array of groups, function(files) -> architecture; nil for a group file of LIKWID.
function readers.read(file)
    if file.text:find "^%s*[%[{]" then
        return read_json(file)
    elseif papi.is(file.text) then
        return papi.read(file), papi.architecture
    end
end

return readers
