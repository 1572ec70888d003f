-- group_text.lua - what group files write once. SPDX-License-Identifier: GPL-3.0-or-later
--
--     {EVENTS}            a line: a text of this name that the architecture's family file states
--     {CBOX}C0 EVENT      a line for each box CBOX of the machine: CBOX0C0, CBOX1C0, ...; in the event set, neighbouring lines for the
--                         boxes of one name are repeated together
--     {CBOX#}             the box's number
--     sum({CBOX}C0)       the sum over these boxes: CBOX0C0+CBOX1C0+...
local group_text = {}

-- { [name] = how many of these boxes groups know }, from the text of a machine file.
function group_text.boxes(machine)
    local boxes = {}
    for name, count in machine:gmatch 'counters {%s*name = "(%u[%w]*)",%s*boxes = (%d+)' do
        boxes[name] = tonumber(count)
    end
    return boxes
end

local function name_in(line)
    return line:match "{(%u%w*)#?}"
end

-- The text for each box of `name`.
local function each_box(text, name, count)
    local texts = {}
    for i = 0, count - 1 do
        texts[#texts + 1] = (text:gsub("{" .. name .. "}", name .. i):gsub("{" .. name .. "#}", i))
    end
    return texts
end

local function count_of(given, name)
    return given.boxes[name] or error(("%s: {%s} is neither a text of the family file nor a box of machine.lua, of %s"):format(
        given.place("{" .. name), name, given.arch), 0)
end

local function sums(line, given)
    return (line:gsub("sum(%b())", function(term)
        local name = name_in(term)
        return name and table.concat(each_box(term:sub(2, -2), name, count_of(given, name)), "+")
    end))
end

-- Replaces the lines that are names of texts, and takes sums apart.
local function replaced(lines, given)
    local out = {}
    for _, line in ipairs(lines) do
        local text = given.texts[line:match "^{(%u+)}$"] or { sums(line, given) }
        table.move(text, 1, #text, #out + 1, out)
    end
    return out
end

local function check(text, given)
    local word = text:match "{[^%s()+]*" or text:match "[^%s()+]*}"
    if word then
        error(("%s: %s is not expanded; write {BOX}, {BOX#} or sum({BOX}C0), with one box's name a line and a sum"):format(
            given.place(word), word), 0)
    end
end

-- The last of the lines from `first` on that are repeated together.
local function run_end(lines, first, name, is_event)
    local last = first
    while is_event and lines[last + 1] and name_in(lines[last + 1]) == name do
        last = last + 1
    end
    return last
end

-- lines: of a group file -> array of lines. given:
--   arch   the architecture's name          texts  { [name] = array of lines }
--   boxes  as of group_text.boxes           place  function(word) -> "FILE:LINE" of the word, for messages
function group_text.expand(lines, given)
    local from, out, i, is_event = replaced(lines, given), {}, 1, true
    while from[i] do
        local name, last = name_in(from[i]), i
        is_event = is_event and from[i] ~= "METRICS"
        last = name and run_end(from, i, name, is_event) or last
        local text = table.concat(from, "\n", i, last)
        local texts = name and each_box(text, name, count_of(given, name)) or { text }
        for _, one in ipairs(texts) do
            check(one, given)
            out[#out + 1] = one
        end
        i = last + 1
    end
    return out
end

return group_text
