-- vendor_codes.lua - the vendor's codes of events: groups/ARCH/pmu.vendor, or what differs from the family's in pmu.vendor.changes.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- tests/vendor/generate.lua writes both. A line is one of
--     event UNIT CODE MASK NAME [OPTION=VALUE ...] = VENDOR
--         an event: the vendor's code and unit mask, LIKWID's name, options, and the vendor's name
--     event UNIT CODE NAME_* [OPTION=VALUE ...] [= VENDOR.*]: MASK WORD[=OTHER], ...
--         events of one code: LIKWID's NAME_WORD is the vendor's VENDOR.OTHER; without these two it is NAME.WORD
--     event UNIT NAME_* [OPTION=VALUE ...] [= VENDOR.*]: CODE:MASK WORD[=OTHER], ...
--         events of several codes
--     without UNIT NAME|NAME* ...
--         inherited events that the architecture's list lacks. An `event` replaces the inherited one of its unit and name
--     checked COUNT DIGEST
--         of the events that result: the generator found these in the architecture's list
--     # ...
--         a comment
-- A list goes on in indented lines. "0x00-0x0f BANK0-15" are sixteen events. A.B+C are several of the vendor's events, whose unit masks
-- together are this one. For FIXC the code is the counter's number. Options are named as LIKWID does, and EXT: further bits of the unit
-- mask (EXT=*: the bits of MASK above the first eight); EXTSEL: the select's extra bit; COUNTERS: those that count it, if not all; OLD:
-- LIKWID's unit mask, if libpfm4 has that one, too; BITS: the bits of the event's register that the vendor uses.
local fnv = require "numeric.fnv"
local lines_of = require "lines"

local vendor_codes = {}

-- UNIT NAME of a line with one event.
function vendor_codes.key(line)
    return table.concat({ line:match "^event (%S+) %S+ %S+ (%S+)" }, " ")
end

-- A line with one event, in the syntax of pmu.events (vnode/pmu/table_file.h).
function vendor_codes.line(unit, code, umask, name, options, made)
    return ("event %s 0x%02x 0x%02x %s%s = %s"):format(unit, code, umask, name, options, made)
end

-- Array of { text =, number = } of lines with the indented lines that follow.
local function whole_lines(text)
    local whole = {}
    for number, line in ipairs(lines_of(text)) do
        if line:find "^    %S" and #whole > 0 and whole[#whole].text:find "^%l" then
            whole[#whole].text = whole[#whole].text .. " " .. line:sub(5)
        else
            whole[#whole + 1] = { text = line, number = number }
        end
    end
    return whole
end

-- Calls use(mask, word, word of the vendor's) for each event of a part of a list; returns nil if it is not understood.
local function each_of(masks, words, use)
    local word, vendors = words:match "^([^=]+)=(.+)$"
    word, vendors = word or words, vendors or words
    local from, to = masks:match "^(0x%x+)%-(0x%x+)$"
    if not from then
        return tonumber(masks) and (use(tonumber(masks), word, vendors) or true)
    end
    local first, last = word:match "(%d+)%-(%d+)$"
    local range = first and ("%s-%s"):format(first, last):gsub("%-", "%%-")
    if not first or last - first ~= to - from or not vendors:find(range .. "$") then
        return nil
    end
    for number = tonumber(first), tonumber(last) do
        use(from + number - first, (word:gsub(range .. "$", number)), (vendors:gsub(range .. "$", number)))
    end
    return true
end

-- Calls use(line) for each event of a line; returns nil if it is not understood.
local function each_event(line, use)
    local head, list = line:match "^event ([^:]+): (.+)$"
    if not head then
        local unit, code, umask, name, options, made = line:match "^event (%S+) (%w+) (%w+) (%S+)(.-) = (%S+)$"
        code, umask = tonumber(code), tonumber(umask)
        return code and umask and (use(vendor_codes.line(unit, code, umask, name, options, made)) or true)
    end
    local rest, vendors = head:match "^(.-) = (.*)%*$"
    local unit, code, name, options = (rest or head):match "^(%S+) ?(0?x?%x*) (%S*)%*(.*)$"
    local is_read = unit ~= nil
    for part in list:gmatch "[^,]+" do
        local own, mask, words = part:match "^ ?(0?x?%x-):?(0x[%xx%-]+) (%S+)$"
        local own_code = tonumber(code ~= "" and code or own)
        is_read = is_read and words and own_code and each_of(mask, words, function(umask, word, vendors_word)
            local extended, is_extended = options:gsub("EXT=%*", ("EXT=0x%x"):format(umask >> 8))
            use(vendor_codes.line(unit, own_code, is_extended > 0 and umask & 0xff or umask, name .. word, extended,
                (vendors or name:gsub("_$", ".")) .. vendors_word))
        end)
    end
    return is_read
end

-- Leaves out events named in `words`; returns a word that names none.
local function leave_out(events, unit, words)
    local unknown
    for word in words:gmatch "%S+" do
        local start, found = unit .. " " .. word:gsub("%*$", ""), false
        for key in pairs(events) do
            if key == start or word:find "%*$" and key:sub(1, #start) == start then
                events[key], found = nil, true
            end
        end
        unknown = not found and word or unknown
    end
    return unknown
end

-- "COUNT DIGEST" of lines.
function vendor_codes.digest(lines)
    return ("%d 0x%s"):format(#lines, fnv(table.concat(lines, "\n")))
end

-- text, path: of the file; inherited: the family's lines |nil -> sorted lines with one event each, and why they are not those that the
-- generator compared: "FILE:LINE: ..." |nil. Raises "FILE:LINE: ..." for a line that is not understood.
function vendor_codes.read(text, path, inherited)
    local events, lines, stale, checked = {}, {}, nil, nil
    for _, line in ipairs(inherited or {}) do
        events[vendor_codes.key(line)] = line
    end
    local function fail(number, why)
        return ("%s:%d: %s; run tests/vendor/generate.lua for this architecture"):format(path, number, why)
    end
    for _, whole in ipairs(whole_lines(text)) do
        local number, line = whole.number, whole.text
        local unit, words = line:match "^without (%S+) (.+)$"
        local sum = line:match "^checked (.+)$"
        checked = sum and { sum = sum, line = number } or checked
        local unknown = unit and leave_out(events, unit, words)
        stale = stale or unknown and fail(number, ("nothing inherited is named %s"):format(unknown))
        local is_read = unit or sum or line == "" or line:find "^#"
            or each_event(line, function(event) events[vendor_codes.key(event)] = event end)
        if not is_read then
            error(fail(number, ("'%s' is not in the syntax of inherit/vendor_codes.lua"):format(line)), 0)
        end
    end
    for _, line in pairs(events) do
        lines[#lines + 1] = line
    end
    table.sort(lines)
    if inherited and (not checked or checked.sum ~= vendor_codes.digest(lines)) then
        stale = stale or fail(checked and checked.line or 1, "these events are not those that were compared with the architecture's list")
    end
    return lines, stale
end

return vendor_codes
