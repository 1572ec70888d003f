-- table_structure.lua - lines of an event table that belong to no event, or to another one. SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

-- The next UMASK line behind a line; the next DEFAULT_OPTIONS or EVENT line ends the search.
local function umask_below(lines, index)
    for i = index + 1, #lines do
        if lines[i].keyword == "UMASK" then
            return lines[i]
        elseif lines[i].keyword == "DEFAULT_OPTIONS" then
            return nil
        end
    end
end

local function check_defaults(lines, index, say)
    local line, below = lines[index], umask_below(lines, index)
    if not below then
        say(line.line, ("DEFAULT_OPTIONS_%s stands above no UMASK"):format(line.name), "the options are never set")
    elseif not below.name:find(line.name, 1, true) then
        say(line.line, ("DEFAULT_OPTIONS_%s stands above UMASK_%s"):format(line.name, below.name),
            ("%s counts without these options"):format(below.name))
    elseif below.name:sub(1, #line.name) ~= line.name then
        say(line.line, ("DEFAULT_OPTIONS_%s has not the name of UMASK_%s below it"):format(line.name, below.name),
            "LIKWID's generator sets them, because the one name holds the other", nil, "note")
    elseif line.words and line.words:find "%u%uEVENT_OPTION" then
        say(line.line, ("a comma is missing in '%s'"):format(line.words), "LIKWID reads one option of two")
    end
end

-- A UMASK that begins as another EVENT of the table does and not as its own: that EVENT's name; else nil.
local function other_event(name, own, names)
    if name:sub(1, #own) == own then
        return nil
    end
    local longest = ""
    for other in pairs(names) do
        longest = name:sub(1, #other + 1) == other .. "_" and #other > #longest and other or longest
    end
    return longest ~= "" and own:sub(1, #longest) ~= longest and longest or nil
end

local function check_duplicates(events, say)
    for _, same in ipairs(lists.group(events, "name")) do
        for i = 2, #same do
            local a, b = same[1], same[i]
            if a.code ~= b.code or a.umask ~= b.umask then
                say(b.line, ("%s is there twice: 0x%02x 0x%02x in line %d, 0x%02x 0x%02x here"):format(b.name, a.code, a.umask, a.line,
                    b.code, b.umask), "LIKWID takes the first, for whatever counter")
            elseif a.limit == b.limit and lists.all({ "THRESHOLD", "EDGEDETECT", "INVERT" }, function(option)
                    return a.options[option] == b.options[option] end) then
                say(b.line, ("%s is there twice, first in line %d"):format(b.name, a.line), "none; another event may have been meant")
            end
        end
    end
end

return {
    name = "table-structure", class = "S18", severity = "error", about = "table",
    title = "the event table has options above another event, a UMASK below another EVENT, duplicates or unknown keywords",
    check = function(one, say)
        local names, event = {}, nil
        for _, line in ipairs(one.lines) do
            names[line.keyword == "EVENT" and line.name or ""] = line.keyword == "EVENT" or nil
        end
        for i, line in ipairs(one.lines) do
            if line.keyword == "DEFAULT_OPTIONS" then
                check_defaults(one.lines, i, say)
            elseif line.keyword == "EVENT" then
                event = line
            elseif line.keyword == "UMASK" and event then
                local other = other_event(line.name, event.name, names)
                if other then
                    say(line.line, ("UMASK_%s stands below EVENT_%s, not below EVENT_%s"):format(line.name, event.name, other),
                        "the event has that one's code")
                end
            elseif line.keyword ~= "OPTIONS" then
                say(line.line, ("'%s' begins with no keyword"):format(line.text:match "^%s*(%S*)"), "LIKWID ignores the line")
            end
        end
        check_duplicates(one.events, say)
    end,
}
