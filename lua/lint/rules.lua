-- rules.lua - the rules of `assay lint`, one file each. SPDX-License-Identifier: GPL-3.0-or-later
--
-- A rule has name, class (S1 to S23 of docs/lint.md), severity = error | warning | note, title = what is wrong, and
-- check(subject, say, arch), called for each
--   about = "group": a linted group (lint/linted.lua); say(line, what, consequence, fix |nil, severity |nil)
--   about = "groups": the linted groups of one architecture; say(group, line, what, consequence)
--   about = "all": the linted groups of all architectures; say as for "groups"
--   about = "table": an event table (lint/event_table.lua); say as for a group
--   about = "tables": the event tables of all architectures; say(table, line, what, consequence)
-- needs = what of `arch` (lint/lint.lua) must be known: "table", "counters", "vendor" or "presets"; the rule is skipped otherwise.
local NAMES = {
    "undefined_counter", "unknown_event", "unknown_counter", "counter_twice", "forbidden_counter", "unused_event", "missing_box",
    "left_box", "term_twice", "flop_weight", "unit_scale", "precision", "formula", "algebra", "same_formula", "documentation",
    "siblings", "cousins", "table_structure", "transposed", "one_code", "generator", "vendor", "vendor_table", "orphans",
    "unknown_preset", "metric_type",
}

local FOLDER = "lint.rules."

local rules = {}
for i, name in ipairs(NAMES) do
    rules[i] = require(FOLDER .. name)
end
return rules
