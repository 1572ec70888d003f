-- causes.lua - what a record says is to blame, as lines: blame first, then where LIKWID's own values are not what its counters give.
-- SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"

local causes = {}

local INDENT = "    "

-- The texts of a record's blame and findings, one each.
function causes.texts(record)
    local texts = {}
    for _, list in ipairs { record.blame or {}, record.findings or {} } do
        for _, entry in ipairs(list) do
            texts[#texts + 1] = entry.text
        end
    end
    return texts
end

-- The same in lines of at most `width` characters, broken at blanks: no word of them is left out.
function causes.lines(record, width)
    local lines = {}
    for _, text in ipairs(causes.texts(record)) do
        local line
        for word in text:gmatch "%S+" do
            local longer = line and line .. " " .. word
            if longer and cells.width(longer) > width then
                lines[#lines + 1] = line
                longer = INDENT .. word
            end
            line = longer or word
        end
        lines[#lines + 1] = line
    end
    return lines
end

return causes
