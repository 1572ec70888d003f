-- causes.lua - a record's blame as lines, then metrics for which LIKWID's own values are not what its counters give.
-- SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"
local lists = require "input.lists"
local recomputed = require "judge.recomputed"

local causes = {}

local GROUPS = 3 -- groups named in a finding that several share

-- "ASSAY_L2, ASSAY_L3 and 4 others"; the name alone for one group.
local function named(groups)
    local listed, more = table.concat(groups, ", ", 1, math.min(#groups, GROUPS)), #groups - GROUPS
    return more > 0 and ("%s and %d other%s"):format(listed, more, more > 1 and "s" or "") or listed
end

local function line_of(entry)
    return entry.group and recomputed.line(entry, "") or entry.text
end

-- Texts of a record's blame and findings. Findings that differ in their group only (usually a counter that all these groups contain) are
-- one text, at the place of the first.
function causes.texts(record)
    return lists.append(lists.collect(record.blame or {}, "text"), lists.group(record.findings or {}, line_of), function(alike)
        local groups = lists.collect(alike, "group")
        return #groups > 1 and recomputed.line(alike[1], named(groups)) or alike[1].text
    end)
end

-- The same texts wrapped to lines of at most `width` characters.
function causes.lines(record, width)
    return cells.wrap(causes.texts(record), width)
end

return causes
