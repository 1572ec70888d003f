-- Synchronisation overhead: two threads each relax their own block, and meet after each step or not (patterns/synchronisation.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Everything follows from the disassembled functions. A step is a pass of the loop that calls relax(), which has a pass for each vector.
-- Its useful operations are one multiplication and one addition per element, whether the threads meet or not.
--     instructions  apart: all of them, exactly; the Marker API's are below the tolerance and not modelled
--                   meeting: also one call of meet() per step, which polls the other thread at least once. The number of polls depends on
--                   timing, so there is no upper end (at_least), and any larger count is right. The difference of two regions has at
--                   least the instructions of the additional steps. Real programs spin in the same way, so this code is the positive
--                   control.
-- The Marker API's instructions grow with the number of counters that it reads; they are most if all signatures are measured in one region.
-- Threads that do not meet execute more than ten million instructions, so that these stay below the tolerance.
local VECTOR = 4 -- elements

-- Count of `event` in relax() per step.
local function of_relax(at, event)
    local relax = at.called.relax
    if relax.pass.loads ~= 1 or relax.pass.stores ~= 1 then
        error("a pass of relax's loop is no vector; compile it without unrolling")
    end
    return relax.constant[event] + at.point.elements // VECTOR * relax.pass[event]
end

-- Two models from amount(at, steps, calls of the loop over steps): the region, and its difference to the base region.
local function of_steps(amount)
    return function(at)
        return amount(at, at.point.steps, 1)
    end, function(at)
        return amount(at, at.point.steps - at.base.steps, 0)
    end
end

local function useful_of(at, steps)
    return steps * of_relax(at, "flops") / 2
end

local function instructions_of(at, steps, calls)
    local parts, meet = at.parts, at.called.meet
    local least = calls * parts.constant.instructions + steps * (parts.pass.instructions + of_relax(at, "instructions"))
    if not meet then
        return least
    end
    least = least + steps * (meet.constant.instructions + meet.pass.instructions)
    return at_least(least)
end

local function over_useful_of(at, steps, calls)
    local amount, whole = instructions_of(at, steps, calls), useful_of(at, steps)
    if type(amount) == "number" then
        return amount / whole
    end
    return { min = amount.min / whole, value = amount.value / whole, max = amount.max / whole }
end

local useful, more_useful = of_steps(useful_of)
local instructions, more_instructions = of_steps(instructions_of)
local over_useful = of_steps(over_useful_of)

return pattern {
    name = "synchronisation",
    title = "Synchronisation overhead",
    class = "work",
    about = "Threads wait for each other after little work: they spin at barriers, and most of their instructions do nothing useful.",
    desired = "Instructions of each thread, and the useful operations among them",
    advice = "Synchronise less often: merge parallel regions and loops (nowait where nothing depends on it), give each step more "
        .. "work, synchronise with neighbours instead of with all, and use fewer threads where steps cannot become longer.",
    codes = {
        code { name = "meeting", runs = "go_meeting", calls = { "relax", "meet" } },
        code { name = "apart", runs = "go_apart", calls = { "relax" } },
    },
    parameters = { "elements", "steps" },
    placements = { "pair" },
    points = {
        point { code = "meeting", elements = 64, steps = 65536 },
        point { code = "meeting", elements = 128, steps = 32768, base = { steps = 8192 }, quick = true },
        point { code = "meeting", elements = 96, steps = 40960, quick = true },
        point { code = "apart", elements = 64, steps = 131072 },
        point { code = "apart", elements = 128, steps = 65536, base = { steps = 8192 }, quick = true },
        point { code = "apart", elements = 96, steps = 98304, quick = true },
    },
    quantities = {
        quantity { name = "useful operations", expect = useful, difference = more_useful },
        quantity { name = "instructions", expect = instructions, difference = more_instructions },
        quantity { name = "instructions per useful operation", expect = over_useful },
    },
    -- Accesses of both threads. A thread that waits makes about 500 a step.
    cost = function(at)
        local steps = at.point.steps + (at.base and at.base.steps or 0)
        return steps * (at.point.elements + (at.code.name == "meeting" and 500 or 0))
    end,
    controls = { present = control { code = "meeting" }, absent = control { code = "apart" } },
    signature = "instructions per useful operation",
    -- Most instructions are not useful operations, and the threads take lines from each other, as they must in order to meet. Without an
    -- event that distinguishes these from lines of L3 there is no answer, because code with its data in L3 would look the same.
    tests = {
        test { quantity = { "instructions per useful operation" } },
        test { quantity = { "loads modified" }, per = "instructions", most = 1 },
    },
    -- Waits that spin: instructions that no vector operation needs, in all threads, and lines that may have ended a wait: as many
    -- as there are mispredictions. The interval begins with what these lines cost, because a wait lasts at least as long as its line needs;
    -- or with the instructions that depend on the threads' turns, because work does not.
    explains = explains {
        needs = {
            "loads modified|stores to shared lines", "AVX operations|vector instructions", "instructions", "mispredicted branches",
        },
        may = { "locked loads", "loads modified there|lines from caches there" },
        cycles = function(at)
            local spent, all = overhead(at), costs(at, { "loads modified", "loads modified there" })
            local modified = at.counts["loads modified"]
            local ended = math.min(modified, at.counts["mispredicted branches"])
            local lines = modified > 0 and ended / modified * all[1] or 0
            local least = math.max(math.min(lines, cost(at, "instructions", spent[1])[1]), cost(at, "instructions", spun(at))[1])
            return { ended > 0 and least or 0, cost(at, "instructions", spent[2])[2] + all[2] }
        end,
        ruled_out = function(_, threads)
            return threads == 1 and "one thread" or nil
        end,
    },
}
