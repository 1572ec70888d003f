-- formula.lua - lines that LIKWID reads differently than they look. SPDX-License-Identifier: GPL-3.0-or-later
--
-- LIKWID's calculator knows functions, input/formula.lua does not: metrics that use them are not checked.
local CONSEQUENCES = {
    ["event line"] = "LIKWID programs something else, or nothing",
    ["metric line"] = "LIKWID shows no such metric",
    ["metric twice"] = "results of one name cannot be told apart",
    formula = "LIKWID computes another number, or prints 0",
    section = "LIKWID leaves it out",
    ["control character"] = "LIKWID takes it for part of a name",
    ["long line"] = "LIKWID cuts the line",
}

return {
    name = "formula", class = "S12", severity = "error", about = "group",
    title = "LIKWID cannot read the line: a blank or an open bracket in a formula, a line outside of any section",
    check = function(group, say)
        local is_left_out, words = false, group.words
        local own = { formula = words.unread, ["metric twice"] = words.twice, ["metric line"] = words.left_out }
        for _, note in ipairs(group.notes) do
            local has_function = note.text:find("unexpected '('", 1, true)
            is_left_out = is_left_out or has_function
            if CONSEQUENCES[note.kind] and not has_function and not (is_left_out and note.text:find "no METRICS$") then
                say(note.line, note.text, own[note.kind] or CONSEQUENCES[note.kind])
            end
        end
    end,
}
