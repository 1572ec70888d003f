-- counter_twice.lua - a counter that is programmed twice. SPDX-License-Identifier: GPL-3.0-or-later
return {
    name = "counter-twice", class = "S4", severity = "error", about = "group",
    title = "EVENTSET programs a counter twice",
    check = function(group, say)
        local first = {}
        for _, event in ipairs(group.events) do
            local before = first[event.counter]
            if before then
                say(event.line, ("%s is programmed in line %d already, with other options"):format(event.counter, before),
                    "it counts one of the two events")
            end
            first[event.counter] = before or event.line
        end
        for _, note in ipairs(group.notes) do
            if note.kind == "counter twice" then
                say(note.line, note.text, "it counts one of the two events")
            end
        end
    end,
}
