-- Failed store forwarding: pairs that are written in halves and read as a whole, or in one piece (patterns/store_forwarding.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A pair is a pass of the disassembled loop: its `stores`, then its `loads`. A load is forwarded if one single store in flight has all of
-- its bytes. The stores of the pair are still in flight, as the loads come right after them. So each pair has
--     halves    one load that is not forwarded: its bytes are in two stores, eight bytes each
--     whole     none: store and load have the same bytes
--     parts     none: both loads lie within the one store
-- The code around the loop is not modelled: it is below the tolerance.
local function pairs_of(at)
    local pass = at.parts.pass
    if pass.stores ~= at.code.stores or pass.loads ~= at.code.loads then
        error("a pass of the loop is no pair, with the stores and loads of its code; compile it without unrolling")
    end
    return at.point.pairs * at.point.times
end

local function not_forwarded(at)
    local pairs_made = pairs_of(at)
    return at.code.stores > at.code.loads and pairs_made or none_of(pairs_made)
end

local function share_not_forwarded(at)
    return per_instruction(not_forwarded(at), at.point.times * executed(at.parts, at.point.pairs, { instructions = 1 }))
end

return pattern {
    name = "store_forwarding",
    title = "Failed store forwarding",
    class = "hazard",
    about = "A load that needs the bytes of several recent stores waits until they have reached the cache.",
    desired = "Loads that could not be forwarded from a store although it had some of their bytes",
    advice = "Write and read the same pieces: build vectors in registers (set, shuffle, insert) and store them once, copy a structure"
        .. " field by field if it was just written so, and do not read with vectors what scalars have just written.",
    codes = {
        code { name = "halves", runs = "write_halves", stores = 2, loads = 1 },
        code { name = "whole", runs = "write_whole", stores = 1, loads = 1 },
        code { name = "parts", runs = "read_parts", stores = 1, loads = 2 },
    },
    parameters = { "pairs", "times" },
    placements = { "core" },
    points = {
        point { pairs = 4096, times = 384, quick = true },
        point { pairs = 6144, times = 512, quick = true },
        point { pairs = 4096, times = 768 },
    },
    quantities = {
        quantity { name = "loads not forwarded", expect = not_forwarded },
        quantity { name = "loads not forwarded per instruction", expect = share_not_forwarded },
    },
    -- Accesses that L1 serves are simulated faster: they count half.
    cost = function(at)
        return at.point.pairs * at.point.times
    end,
    controls = { present = control { code = "halves" }, absent = control { code = "whole" } },
    signature = "loads not forwarded per instruction",
    explains = explains {
        needs = { "loads not forwarded" },
        cycles = function(at)
            return cost(at, "loads not forwarded")
        end,
    },
}
