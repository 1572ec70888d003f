-- False sharing of cache lines: two threads count for themselves, `times` times each, in one line or in a line each.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- In turn: each thread steps when the other has, in one line. Whatever the timing, each step is found modified in the other's cache once,
-- and looks before it hit the own cache: `times` lines a thread.
-- Together: every increment loads the counter once, so a thread takes the line at most once an increment; how often it does is a matter of
-- timing. It does so once at least, unless one thread is done before the other begins. No count can be right or wrong by that: it is the
-- pattern as programs show it, and tells present from absent. Nominal is the middle of a factor.
-- Apart: no line moves but those that the threads share as regions begin.
-- Whatever the code, the threads share lines as regions begin, of the program's and the Marker API's data not more than a page. Each region
-- has data of its own there, so that the begin of one may cost as much more than another's.

local function shared_lines(at)
    return at.machine.processor.page // at.node.line_bytes
end

local function taken(at)
    local times, shared = at.point.times, shared_lines(at)
    local begin = { name = "begin", amount = shared }
    if at.code.name == "in_turn" then
        return { min = times, value = times, max = times + shared, terms = { begin } }
    elseif at.code.name == "together" then
        local most = times + shared
        return { min = 1, value = math.sqrt(most), max = most, terms = { { name = "synchronisation", amount = times }, begin } }
    end
    return { min = 0, value = 0, max = shared, work = times, terms = { begin } }
end

local function taken_more(at)
    local more, shared = at.point.times - at.base.times, shared_lines(at)
    return {
        min = more - shared,
        value = more,
        max = more + shared,
        terms = { { name = "begin", amount = shared }, { name = "begin", amount = -shared } },
    }
end

-- A model of lines that come from there, and none at all in the other placement.
local function from(where, model)
    return function(at)
        if at.placement == where then
            return model(at)
        end
        return none_of(at.point.times)
    end
end

local function more_from(where)
    return function(at)
        return at.placement == where and taken_more(at) or nil
    end
end

return pattern {
    name = "false_sharing",
    title = "False sharing of cache lines",
    class = "hazard",
    about = "Threads write different words of one line: the line moves although no data are shared.",
    desired = "Transfers of modified lines between the private caches of a socket, and between sockets",
    advice = "Give each thread's data lines of their own: align and pad to the line, keep counters and partial sums in local "
        .. "variables and write them once at the end, and give threads blocks of an array instead of every n-th element.",
    codes = {
        code { name = "together" },
        code { name = "apart" },
        code { name = "in_turn" },
    },
    parameters = { "times" },
    placements = { "pair", "across" },
    points = {
        point { times = 500000, quick = true },
        point { times = 1000000 },
        point { code = "in_turn", times = 26000, base = { times = 1000 }, quick = true },
        point { code = "in_turn", times = 32000, base = { times = 1000 } },
    },
    quantities = {
        quantity { name = "loads modified", expect = taken, difference = taken_more },
        quantity { name = "loads modified here", expect = from("pair", taken), difference = more_from "pair" },
        quantity { name = "loads modified there", expect = from("across", taken), difference = more_from "across" },
        quantity { name = "reads modified here", expect = from("pair", taken), difference = more_from "pair" },
        quantity { name = "reads modified there", expect = from("across", taken), difference = more_from "across" },
    },
    cost = function(at)
        local pause = at.code.name == "in_turn" and 500 or 1 -- of a thread that waits for its turn
        return 8 * pause * (at.point.times + (at.base and at.base.times or 0))
    end,
    controls = { present = control { code = "together" }, absent = control { code = "apart" } },
    signature = "loads modified",
    tests = { test { quantity = { "loads modified" }, per = "instructions", most = 1 } },
    also = {
        also { pattern = "atomic_updates", control = "present", reason = "threads take the bins' lines from each other" },
        also { pattern = "synchronisation", control = "present", reason = "threads that meet take the counter's line from each other" },
    },
}
