-- changes.lua - a text that differs a little from another one. SPDX-License-Identifier: GPL-3.0-or-later
--
-- A file of changes goes through the lines of the text that it changes, from top to bottom:
--     @ START     go on behind this line and its block              > START     go on behind this line, in its block
--     - START     leave out this line and its block                 <           go on behind the block where lines are added now
--     ~ START     leave out all lines before this one; without START: all lines that follow
--     + LINE      add this line here
--     = LINE      replace the line of the same name: the name ends before the first ":" or "=", or else a blank
--       LINE      one more line of the "+" or "=" above, indented as much deeper; "=" with such lines replaces the block, too
--     # ...       a comment
-- START is how a line starts, without its indentation. The block of a line are the lines below it that are indented deeper, and the
-- line that closes its bracket. If START is longer than a line that opens a bracket, it goes on in the block, with one blank for each
-- end of a line.
local lines_of = require "lines"

local changes = {}

local function indent_of(line)
    return #line:match "^ *"
end

-- The last line of the block that begins at `first`.
local function block_end(lines, first)
    local depth, last = indent_of(lines[first]), first
    while lines[last + 1] and lines[last + 1]:find "%S" and indent_of(lines[last + 1]) > depth do
        last = last + 1
    end
    local next_line = lines[last + 1]
    return next_line and next_line:find "^ *}" and indent_of(next_line) == depth and last + 1 or last
end

-- A line without its indentation; with the lines of its block if it opens a bracket.
local function whole(lines, first)
    if not lines[first]:find "{$" then
        return lines[first]:match "^ *(.*)"
    end
    local parts = {}
    for i = first, block_end(lines, first) do
        parts[#parts + 1] = lines[i]:match "^ *(.*)"
    end
    return table.concat(parts, " ")
end

local function find(lines, from, is_wanted)
    for i = from, #lines do
        if is_wanted(whole(lines, i)) then
            return i
        end
    end
end

local function starts_with(start)
    return function(text)
        return text:sub(1, #start) == start
    end
end

local function has_name_of(line)
    local name = line:match "^(.-)[:=]" or line:match "^%S+"
    return function(text)
        return text:sub(1, #name) == name and text:find("^[:= ]", #name + 1) ~= nil
    end
end

local function remove(lines, first)
    for _ = first, block_end(lines, first) do
        table.remove(lines, first)
    end
end

-- Adds the texts of a change behind line `at`, indented by `depth`; returns the last one's place.
local function insert(lines, at, depth, texts)
    for i, text in ipairs(texts) do
        table.insert(lines, at + i, text == "" and "" or (" "):rep(depth) .. text)
    end
    return at + #texts
end

-- What a change does: (lines, at: the line behind which it goes on, change, depth: how deep it adds lines) -> the same two of the next
-- change; nil if there is no such line.
local ACTIONS = {
    ["@"] = function(lines, at, change)
        local found = find(lines, at + 1, starts_with(change.texts[1]))
        if found then
            return block_end(lines, found), indent_of(lines[found])
        end
    end,
    [">"] = function(lines, at, change)
        local found = find(lines, at + 1, starts_with(change.texts[1]))
        if found then
            return found, indent_of(lines[found]) + (lines[found]:find "{$" and 4 or 0)
        end
    end,
    ["<"] = function(lines, at, _, depth)
        for i = at + 1, #lines do
            if lines[i]:find "%S" and indent_of(lines[i]) < depth then
                return i, indent_of(lines[i])
            end
        end
    end,
    ["-"] = function(lines, at, change)
        local found = find(lines, at + 1, starts_with(change.texts[1]))
        if found then
            local depth = indent_of(lines[found])
            remove(lines, found)
            return found - 1, depth
        end
    end,
    ["~"] = function(lines, at, change, depth)
        local start = change.texts[1]
        local found = start == "" and #lines + 1 or find(lines, at + 1, starts_with(start))
        if found then
            table.move(lines, found, #lines + found - at, at + 1)
            return at, depth
        end
    end,
    ["="] = function(lines, at, change)
        local found = find(lines, at + 1, has_name_of(change.texts[1]))
        if not found then
            return nil
        end
        local depth = indent_of(lines[found])
        if #change.texts > 1 then
            remove(lines, found)
        else
            table.remove(lines, found)
        end
        return insert(lines, found - 1, depth, change.texts), depth
    end,
    ["+"] = function(lines, at, change, depth)
        return insert(lines, at, depth, change.texts), depth
    end,
}

-- Text of a file of changes -> array of { action =, texts =, line = }. Raises "FILE:LINE: ...".
local function parse(text, file)
    local list = {}
    for number, line in ipairs(lines_of(text)) do
        local action, rest = line:match "^([@<>~=+-]) ?(.*)$"
        if action == "=" and not rest:find "^[^:=%s]" then
            error(("%s:%d: '%s' names no line to replace (inherit/changes.lua)"):format(file, number, line), 0)
        elseif action and action:find "[@>-]" and rest == "" then
            error(("%s:%d: '%s' needs the start of a line (inherit/changes.lua)"):format(file, number, line), 0)
        elseif action then
            list[#list + 1] = { action = action, texts = { rest }, line = number }
        elseif line:find "^  " and list[1] and list[#list].action:find "[=+]" then
            table.insert(list[#list].texts, line:sub(3))
        elseif line ~= "" and not line:find "^#" then
            error(("%s:%d: '%s' begins with none of @ > < - ~ = + and two blanks (inherit/changes.lua)"):format(file, number, line), 0)
        end
    end
    return list
end

-- Changes the array `lines`. text, file: the changes and their name; of: what is changed, for messages. Raises "FILE:LINE: ...".
function changes.apply(lines, text, file, of)
    local at, depth = 0, 0
    for _, change in ipairs(parse(text, file)) do
        local next_at, next_depth = ACTIONS[change.action](lines, at, change, depth)
        if not next_at then
            error(("%s:%d: %s has no line '%s' behind '%s'; see there what it is called now, and in which order"):format(file, change.line,
                of, change.texts[1], lines[at] or "its begin"), 0)
        end
        at, depth = next_at, next_depth
    end
end

return changes
