-- compact.lua - lines with one event each as the shorter lines of groups/ARCH/pmu.vendor and pmu.vendor.changes
-- (inherit/vendor_codes.lua). SPDX-License-Identifier: GPL-3.0-or-later
package.path = "inherit/?.lua;lua/?.lua;" .. package.path
local lists = require "input.lists"
local vendor_codes = require "vendor_codes"

local compact = {}

local WIDTH = 140

local function parse(line)
    local unit, code, umask, name, options, made = line:match "^event (%S+) (%S+) (%S+) (%S+)(.-) = (%S+)$"
    local rest, extension = options, options:match " EXT=0x(%x+)"
    if extension then
        rest, umask = options:gsub(" EXT=%w+", " EXT=*"), ("0x%s%s"):format(extension, umask:sub(3))
    end
    return { line = line, unit = unit, code = code, umask = umask, name = name, options = rest, made = made,
        number = tonumber(code) << 48 | tonumber(umask) }
end

-- What the names have in common up to a ".", a "_" or, if only numbers follow, a number: all such starts, "" too. The parts of a sum
-- (A.B+C) have in common what is before the ".".
local function starts(names)
    local common, found = names[1], { "" }
    for _, name in ipairs(names) do
        common = name:find "+" and common:match "^.*%." or common
        while name:sub(1, #common) ~= common do
            common = common:sub(1, -2)
        end
    end
    for i = 1, #common do
        local are_numbers = lists.all(names, function(name) return name:find("^%d+$", i + 1) end)
        found[#found + 1] = (are_numbers or common:find("^[_.]", i)) and common:sub(1, i) or nil
    end
    return found
end

-- The last of the parts from `first` on whose masks and whose numbers at the end of both names are consecutive; `first` if there are few.
local function range_end(parts, first)
    local one = parts[first]
    local start, number = one.word:match "^(.-)(%d+)$"
    local vendors = number and one.vendors:match("^(.-)" .. number .. "$")
    local last = first
    while vendors and not one.code and parts[last + 1] do
        local part, more = parts[last + 1], last + 1 - first
        local is_next = part.word == start .. number + more and part.vendors == vendors .. number + more
            and tonumber(part.umask) == tonumber(one.umask) + more
        if not is_next then
            break
        end
        last = last + 1
    end
    return last - first >= 3 and last or first
end

-- The text of each part; a range of numbers is one.
local function texts(parts)
    local made, i = {}, 1
    while parts[i] do
        local one, last = parts[i], range_end(parts, i)
        local masks = last > i and "-" .. parts[last].umask or ""
        local tail = last > i and "-" .. parts[last].word:match "%d+$" or ""
        made[#made + 1] = ("%s%s%s %s%s%s"):format(one.code and one.code .. ":" or "", one.umask, masks, one.word, tail,
            one.word ~= one.vendors and "=" .. one.vendors .. tail or "")
        i = last + 1
    end
    return made
end

-- The head of a list and its parts, for events whose names begin with `name` and the vendor's with `made`.
local function list(events, name, made, has_code)
    local first = events[1]
    local head = ("event %s %s%s*%s%s:"):format(first.unit, has_code and first.code .. " " or "", name, first.options,
        made ~= name:gsub("_$", ".") and " = " .. made .. "*" or "")
    return head, texts(lists.map(events, function(event)
        return { code = not has_code and event.code or nil, umask = event.umask, word = event.name:sub(#name + 1),
            vendors = event.made:sub(#made + 1) }
    end))
end

-- Lines of `head` and the words with `blank` between them; further lines are indented.
local function packed(head, words, blank)
    local lines = { head .. " " .. words[1] }
    for i = 2, #words do
        local longer = lines[#lines] .. blank .. words[i]
        if #longer < WIDTH then
            lines[#lines] = longer
        else
            lines[#lines] = lines[#lines] .. blank:match "^(.*) $"
            lines[#lines + 1] = "    " .. words[i]
        end
    end
    return lines
end

-- The shortest list of the events, as lines.
local function list_lines(events, has_code)
    local best
    for _, name in ipairs(starts(lists.map(events, function(event) return event.name end))) do
        for _, made in ipairs(starts(lists.map(events, function(event) return event.made end))) do
            local head, parts = list(events, name, made, has_code)
            local length = name .. made == "" and math.huge or #head + #table.concat(parts, ", ")
            best = best and best.length <= length and best or { length = length, head = head, parts = parts }
        end
    end
    return packed(best.head, best.parts, ", ")
end

-- Bins of the events by key_of(event), in the order of the events.
local function binned(events, key_of)
    local bins, order = {}, {}
    for _, event in ipairs(events) do
        table.insert(lists.bin(bins, key_of(event), {}, order), event)
    end
    return order
end

-- Adds the bin's events to `made`: as a list if that has fewer lines, else each to `rest`.
local function add(made, rest, bin, has_code)
    local lines = #bin > 1 and list_lines(bin, has_code)
    if lines and #lines < #bin then
        made[#made + 1] = { first = bin[1], lines = lines }
    else
        lists.append(rest, bin)
    end
end

local function is_before(a, b)
    if a.unit ~= b.unit then
        return a.unit < b.unit
    end
    return a.number < b.number or a.number == b.number and a.name < b.name
end

-- Lines with one event each -> lines of pmu.vendor, ordered by unit, code and unit mask.
function compact.lines(lines)
    local events, single, rest, made = lists.map(lines, parse), {}, {}, {}
    table.sort(events, is_before)
    for _, bin in ipairs(binned(events, function(event)
        return ("%s %s %s %s"):format(event.unit, event.code, event.options, event.made:match "^[^.]*")
    end)) do
        add(made, single, bin, true)
    end
    for _, bin in ipairs(binned(single, function(event)
        return ("%s %s %s"):format(event.unit, event.options, event.name:match "^(.-)[^_]*$")
    end)) do
        add(made, rest, bin, false)
    end
    lists.append(made, rest, function(event) return { first = event, lines = { event.line } } end)
    table.sort(made, function(a, b) return is_before(a.first, b.first) end)
    local all = {}
    for _, one in ipairs(made) do
        lists.append(all, one.lines)
    end
    return all
end

-- Words of a `without`: NAME* where no event that stays begins so.
local function words_of(gone, stays)
    local words = {}
    local function is_free(start)
        return not lists.any(stays, function(key) return key:sub(1, #start) == start end)
    end
    for _, key in ipairs(gone) do
        local at, start = #key:match "^%S+ ", key
        for i = #key - 1, at, -1 do
            if key:find("^[_ ]", i) and is_free(key:sub(1, i)) then
                start = key:sub(1, i)
            end
        end
        local count = start ~= key and #lists.filter(gone, function(other) return other:sub(1, #start) == start end) or 1
        local word = count > 1 and start .. "*" or key
        words[#words + 1] = word ~= words[#words] and word or nil
    end
    return words
end

-- Lines of the family and of the architecture, with one event each -> lines of pmu.vendor.changes.
function compact.changes(inherited, lines)
    local own, old, gone, stays, made = {}, {}, {}, {}, {}
    for _, line in ipairs(lines) do
        own[vendor_codes.key(line)] = line
    end
    for _, line in ipairs(inherited) do
        local key = vendor_codes.key(line)
        old[key] = line
        table.insert(own[key] == line and stays or not own[key] and gone or {}, key)
    end
    table.sort(gone)
    for _, bin in ipairs(binned(words_of(gone, stays), function(word) return word:match "^%S+" end)) do
        local names = lists.map(bin, function(word) return word:match "%S+$" end)
        lists.append(made, packed("without " .. bin[1]:match "^%S+", names, " "))
    end
    lists.append(made, compact.lines(lists.filter(lines, function(line) return old[vendor_codes.key(line)] ~= line end)))
    local sorted = table.move(lines, 1, #lines, 1, {})
    table.sort(sorted)
    made[#made + 1] = "checked " .. vendor_codes.digest(sorted)
    return made
end

return compact
