-- law_lines.lua - a short summary of laws between counters, for other reports. SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

local law_lines = {}

-- program/laws/laws.lua's findings -> { text = }, "" if nothing could be checked
function law_lines.render(found)
    local lines = {}
    local checked = lists.count(found.laws, function(law) return law.status ~= "unmeasured" end)
    local broken = lists.count(found.laws, function(law) return law.status == "broken" end)
    if checked > 0 then
        lines[1] = ("laws between counters: %d of %d could be checked, %s"):format(checked, #found.laws,
            broken == 0 and "all hold" or broken == 1 and "1 is broken" or ("%d are broken"):format(broken))
    end
    lists.append(lines, found.blame, function(entry) return ("  %s (%s)"):format(entry.text, table.concat(entry.laws, ", ")) end)
    return { text = table.concat(lines, "\n") .. (lines[1] and "\n" or "") }
end

return law_lines
