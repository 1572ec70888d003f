-- generator.lua - lines of an event table that LIKWID's generator skips or cuts. SPDX-License-Identifier: GPL-3.0-or-later
--
-- It matches upper-case names and digits only. A skipped EVENT line leaves its events the code of the EVENT above; a skipped UMASK line is
-- an event that does not exist.
local CONSEQUENCES = {
    EVENT = "its events get the code and counters of the EVENT above",
    UMASK = "the event does not exist",
    DEFAULT_OPTIONS = "the options are not set",
}

return {
    name = "generator", class = "S19", severity = "error", about = "table",
    title = "LIKWID's table generator skips the line, cuts its number, or sets the options of another event",
    check = function(one, say)
        local first, count
        local function finish()
            if first then
                say(first.line, ("LIKWID's generator does not recognise '%s_%s %s'%s"):format(first.keyword, first.name, first.words,
                    count > 1 and (" and %d such lines below it"):format(count - 1) or ""), CONSEQUENCES[first.keyword])
            end
            first = nil
        end
        for _, line in ipairs(one.lines) do
            local is_skipped = CONSEQUENCES[line.keyword] and not line.compiled
            if not is_skipped or first and first.keyword ~= line.keyword then
                finish()
            end
            if is_skipped then
                first, count = first or line, first and count + 1 or 1
            elseif line.keyword == "UMASK" and line.words:match "^0x%x+" ~= line.value then
                say(line.line, ("LIKWID's generator reads %s of '%s'"):format(line.value, line.words), "the event has another unit mask")
            end
        end
        finish()
    end,
}
