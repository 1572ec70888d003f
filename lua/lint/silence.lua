-- silence.lua - comments that silence rules in a file. SPDX-License-Identifier: GPL-3.0-or-later
--
--     # lint: RULE[,RULE]: reason
--
-- stands on the line above the finding, or above everything in the file, and then is about the whole file. LIKWID ignores lines with '#'.
local silence = {}

local PATTERN = "^#%s*lint:%s*([%w,-]+)%s*:?%s*(.-)%s*$"

-- A file's text -> array of { line =, rules = set, reason = text, whole = flag, used = flag }
function silence.read(text)
    local found, number, is_head = {}, 0, true
    for line in text:find("#%s*lint:") and (text .. "\n"):gmatch "(.-)\r?\n" or function() end do
        number = number + 1
        local names, reason = line:match(PATTERN)
        is_head = is_head and (line:find "^#" ~= nil or not line:find "%S")
        if names then
            local one = { line = number, rules = {}, reason = reason, whole = is_head }
            for name in names:gmatch "[^,]+" do
                one.rules[name] = true
            end
            found[#found + 1] = one
        end
    end
    return found
end

-- Is the finding silenced? Comments may follow each other above a line.
function silence.covers(silences, rule, line)
    local above = line
    for i = #silences, 1, -1 do
        local one = silences[i]
        local is_near = one.line == above - 1
        above = is_near and one.line or above
        if one.rules[rule] and one.reason ~= "" and (one.whole or is_near) then
            one.used = true
            return true
        end
    end
    return false
end

return silence
