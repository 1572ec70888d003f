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

local function count_of(boxes, name, where)
    return boxes[name] or error(("%s: {%s} is neither a text of the family file nor a box of machine.lua"):format(where, name), 0)
end

local function sums(line, boxes, where)
    return (line:gsub("sum(%b())", function(term)
        local name = name_in(term)
        return name and table.concat(each_box(term:sub(2, -2), name, count_of(boxes, name, where)), "+")
    end))
end

-- Replaces the lines that are names of texts, and takes sums apart: array of { text =, where = }.
local function replaced(lines, given, file)
    local out = {}
    for number, line in ipairs(lines) do
        local where, text = ("%s:%d"):format(file, number), given.texts[line:match "^{(%u+)}$"]
        for _, one in ipairs(text or { sums(line, given.boxes, where) }) do
            out[#out + 1] = { text = one, where = where }
        end
    end
    return out
end

-- The last of the lines from `first` on that are repeated together.
local function run_end(lines, first, name, is_event)
    local last = first
    while is_event and lines[last + 1] and name_in(lines[last + 1].text) == name do
        last = last + 1
    end
    return last
end

-- lines: of a group file; given = { texts = { [name] = array of lines }, boxes = }; file: its name, for messages -> array of lines.
function group_text.expand(lines, given, file)
    local from, out, i, is_event = replaced(lines, given, file), {}, 1, true
    while from[i] do
        local name, last = name_in(from[i].text), i
        is_event = is_event and from[i].text ~= "METRICS"
        if name then
            last = run_end(from, i, name, is_event)
            local run = {}
            table.move(from, i, last, 1, run)
            for k, line in ipairs(run) do
                run[k] = line.text
            end
            for _, text in ipairs(each_box(table.concat(run, "\n"), name, count_of(given.boxes, name, from[i].where))) do
                out[#out + 1] = text
            end
        else
            out[#out + 1] = from[i].text
        end
        i = last + 1
    end
    return out
end

return group_text
