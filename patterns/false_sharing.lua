-- False sharing of cache lines: two threads each increment their own counter `times` times: both in one line, or each in its own pair
-- of lines.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- In turn: both counters lie in one line, and each thread waits for the other's step. Each step finds the line modified in the other cache
-- exactly once; polls before that hit the thread's own cache. So each thread takes `times` lines, whatever the timing.
-- Together: an increment loads the counter once, so a thread takes the line at most once per increment, and at least once in all, unless
-- one thread is done before the other begins. The number depends on timing, so any count in this interval is right; the nominal value is
-- its geometric mean. Real programs share lines in the same way, so this code is the positive control.
-- Apart: each counter has a pair of lines, because an adjacent-line prefetcher takes both. No line moves except those that the threads
-- share when regions begin.
-- For all codes: when a region begins, the threads share lines of the program and the Marker API, at most one page. These differ from
-- region to region, so the start of one region may cost up to that much more than the start of another.

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

-- A model that expects lines in the placement `where` only, and none in the other.
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
        quantity { name = "stores to shared lines", expect = taken, difference = taken_more, optional = true },
        quantity { name = "lines from caches there", expect = from("across", taken), difference = more_from "across", optional = true },
        quantity { name = "loads modified here", expect = from("pair", taken), difference = more_from "pair" },
        quantity { name = "loads modified there", expect = from("across", taken), difference = more_from "across" },
        quantity { name = "reads modified here", expect = from("pair", taken), difference = more_from "pair" },
        quantity { name = "reads modified there", expect = from("across", taken), difference = more_from "across" },
    },
    cost = function(at)
        local pause = at.code.name == "in_turn" and 500 or 1 -- accesses of a thread while it waits for its turn
        return 8 * pause * (at.point.times + (at.base and at.base.times or 0))
    end,
    controls = { present = control { code = "together" }, absent = control { code = "apart" } },
    signature = "loads modified",
    tests = { test { quantity = { "loads modified" }, per = "instructions", most = 1 } },
    also = {
        also { pattern = "atomic_updates", control = "present", reason = "threads take the bins' lines from each other" },
        also { pattern = "synchronisation", control = "present", reason = "threads that meet take the counter's line from each other" },
    },
    -- Lines that another core has changed. Counters do not tell whether the threads use the same words of a line; those that may have
    -- ended a wait, that locked instructions may have taken, or that the thread may have used for the first time, are counted in the upper
    -- bound only. On a virtual node a line that threads write all the time moves once a turn: shorter turns show more of it.
    explains = explains {
        needs = { "loads modified|stores to shared lines" },
        may = { "locked loads", "loads modified there|lines from caches there", "mispredicted branches", "page walks" },
        turned = { "loads modified", "loads modified there", "mispredicted branches", "locked loads", "page walks" },
        cycles = function(at)
            return { contended(at), costs(at, { "loads modified", "loads modified there" })[2] }
        end,
        ruled_out = function(_, threads)
            return threads == 1 and "one thread" or nil
        end,
    },
}
