-- False sharing of cache lines: two threads count for themselves, `times` times each, in one line or in a line each.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Together: every increment loads the counter once, so a thread takes the line at most once an increment; how often it does is a matter of
-- timing. It does so once at least, unless one thread is done before the other begins. Apart: no line moves but those that the threads
-- share as regions begin, of the program's and the Marker API's data not more than a page.
local function taken(at)
    local page_lines = at.machine.processor.page // at.node.line_bytes
    if at.code.name == "together" then
        return { min = 1, value = math.sqrt(at.point.times), max = at.point.times + page_lines }
    end
    return { min = 0, value = 0, max = page_lines, work = at.point.times }
end

local function taken_from(where)
    return function(at)
        if at.placement == where then
            return taken(at)
        end
        return { min = 0, value = 0, max = 0, work = at.point.times }
    end
end

return pattern {
    name = "false_sharing",
    title = "False sharing of cache lines",
    class = "hazard",
    about = "Threads write different words of one line: the line moves although no data are shared.",
    desired = "Transfers of modified lines between the private caches of a socket, and between sockets",
    codes = {
        code { name = "together" },
        code { name = "apart" },
    },
    parameters = { "times" },
    placements = { "pair", "across" },
    points = {
        point { times = 500000, quick = true },
        point { times = 1000000 },
    },
    quantities = {
        quantity { name = "loads modified", expect = taken },
        quantity { name = "loads modified here", expect = taken_from "pair" },
        quantity { name = "loads modified there", expect = taken_from "across" },
        quantity { name = "reads modified here", expect = taken_from "pair" },
        quantity { name = "reads modified there", expect = taken_from "across" },
    },
    cost = function(at)
        return 8 * at.point.times
    end,
    controls = { present = control { code = "together" }, absent = control { code = "apart" } },
    signature = "loads modified",
}
