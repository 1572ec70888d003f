-- Atomic updates: two threads count keys in one histogram with locked updates, or in a histogram each (patterns/atomic_updates.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- One key is one pass of the disassembled loop: a load of the key, and one instruction that loads, increments and stores its bin. How often
-- lines move between the threads depends on timing, so no count of these moves can be judged. The number of locked updates is known:
--     shared    one locked load per key, whether or not the other thread uses the bin
--     own       none
-- The code around the loop is not modelled (locks of the Marker API and of the threads' barrier): it is below the tolerance.
local function check(pass)
    if pass.loads ~= 2 or pass.stores ~= 1 then
        error("a pass of the loop is no key: a load, and an update of memory; compile it without unrolling")
    end
end

local function locked(at)
    check(at.parts.pass)
    return at.code.locked and at.point.keys or none_of(at.point.keys)
end

local function locked_share(at)
    return per_instruction(locked(at), executed(at.parts, at.point.keys, { instructions = 1 }))
end

return pattern {
    name = "atomic_updates",
    title = "Atomic updates",
    class = "hazard",
    about = "Updates that may conflict are locked: each waits for earlier accesses and locks its line, even if no other thread uses it.",
    desired = "Locked accesses of each thread",
    advice = "Give each thread a copy of what it updates and add the copies up at the end (omp reduction), also of arrays; sort or colour"
        .. " the work so that no two threads update the same elements at the same time; lock once for many updates.",
    codes = {
        code { name = "shared", runs = "count_shared", locked = true },
        code { name = "own", runs = "count_own", locked = false },
    },
    parameters = { "keys", "bins" },
    placements = { "pair" },
    points = {
        point { keys = 1310720, bins = 256, quick = true },
        point { keys = 1572864, bins = 4096, quick = true },
        point { keys = 1572864, bins = 16384 },
    },
    quantities = {
        quantity { name = "locked loads", expect = locked },
        quantity { name = "locked loads per instruction", expect = locked_share },
    },
    cost = function(at)
        return 8 * at.point.keys
    end,
    controls = { present = control { code = "shared" }, absent = control { code = "own" } },
    signature = "locked loads per instruction",
    -- The locked instructions themselves, and at most all lines that they take from other cores.
    explains = explains {
        needs = { "locked loads" },
        may = { "loads modified|stores to shared lines" },
        cycles = function(at)
            local own = cost(at, "locked loads")
            local taken = cost(at, "loads modified", math.min(at.counts["loads modified"] or 0, at.counts["locked loads"]))
            return { own[1], own[2] + taken[2] }
        end,
    },
}
