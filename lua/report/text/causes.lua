-- causes.lua - what a record says is to blame, as lines: blame first, then where LIKWID's own values are not what its counters give.
-- SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"

local causes = {}

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

-- The same in lines of at most `width` characters.
function causes.lines(record, width)
    return cells.wrap(causes.texts(record), width)
end

return causes
