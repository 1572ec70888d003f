-- law_lines.lua - a short summary of laws between counters, for other reports. SPDX-License-Identifier: GPL-3.0-or-later
local law_lines = {}

-- program/laws/laws.lua's findings -> { text = }, "" if nothing could be checked
function law_lines.render(found)
    local lines, checked, broken = {}, 0, 0
    for _, law in ipairs(found.laws) do
        checked, broken = checked + (law.status ~= "unmeasured" and 1 or 0), broken + (law.status == "broken" and 1 or 0)
    end
    if checked > 0 then
        lines[1] = ("laws between counters: %d of %d could be checked, %s"):format(checked, #found.laws,
            broken == 0 and "all hold" or broken == 1 and "1 is broken" or ("%d are broken"):format(broken))
    end
    for _, entry in ipairs(found.blame) do
        lines[#lines + 1] = ("  %s (%s)"):format(entry.text, table.concat(entry.laws, ", "))
    end
    return { text = table.concat(lines, "\n") .. (lines[1] and "\n" or "") }
end

return law_lines
