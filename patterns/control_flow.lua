-- Control-flow issues: the sum of all cells that are not void, in random order or sorted by material (patterns/control_flow.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- One cell is one pass of the disassembled loop. It has a forward jump, taken for void cells, and the loop's own jump back. Of n cells
-- with k materials v are void; the model finds v by drawing the same random numbers.
--     branches      2 n
--     not taken     n - v: the forward jumps of cells that are not void
--     instructions  one pass per cell, and n - v times the part that void cells jump over
-- The code around the loop is not modelled (a return, a jump, the Marker API): it is below the tolerance.
--     mispredicted
--       sorted      the direction changes once: none, except for a few until the predictor has learnt, which are below the tolerance
--       random      On a virtual node the predictor is known (docs/simulator.md), and the model predicts the same with less state. Every
--                   second one of the last twelve directions is the loop's jump, which is taken. So six directions of forward jumps choose
--                   a counter. The loop's jump uses other counters, because the two addresses differ in the two bits that the history
--                   does not reach.
--                   On silicon the predictor is unknown, and void cells are independent of all cells before them. No predictor can be
--                   better than one that always predicts the more probable direction: v mispredictions. None should be worse than one
--                   that guesses each direction with its probability: 2 v (1 - v / n). Both bounds have four standard deviations added.
--                   For two materials both are n / 2.
local OWN_HISTORY, FIRST_BITS = 6, 4 -- forward jumps' directions in the history; jumps' addresses modulo this choose counters
local WEAKLY_TAKEN, MOST = 2, 3 -- a counter's initial value, from which on it predicts taken; its maximum
local DEVIATIONS = 4

-- Number of void cells, and of forward jumps that the virtual node's predictor mispredicts; drawn once for all quantities.
local sequences = {}

local function draw(cells, materials)
    local key = cells .. " " .. materials
    if sequences[key] then
        return sequences[key]
    end
    local state, history, void, wrong = 0, 0, 0, 0
    local counters, mask = {}, (1 << OWN_HISTORY) - 1
    for index = 0, mask do
        counters[index] = WEAKLY_TAKEN
    end
    for _ = 1, cells do
        state = state * 6364136223846793005 + 1442695040888963407
        local counter = counters[history]
        if (state >> 33) % materials == 0 then
            void = void + 1
            wrong = counter < WEAKLY_TAKEN and wrong + 1 or wrong
            counters[history] = counter < MOST and counter + 1 or MOST
            history = (history << 1 | 1) & mask
        else
            wrong = counter >= WEAKLY_TAKEN and wrong + 1 or wrong
            counters[history] = counter > 0 and counter - 1 or 0
            history = history << 1 & mask
        end
    end
    sequences[key] = { void = void, wrong = wrong }
    return sequences[key]
end

local function sequence(at)
    return draw(at.point.cells, at.point.materials)
end

local function branches(at)
    local parts = at.parts
    if parts.pass.branches ~= 2 or parts.guarded.branches ~= 0 or parts.jumps_apart == 0 then
        error("a pass of sum_filled's loop is no cell: a jump forward and the one back; compile it without unrolling")
    end
    return at.point.cells * parts.pass.branches
end

local function not_taken(at)
    return at.point.cells - sequence(at).void
end

local function taken(at)
    return branches(at) - not_taken(at)
end

local function instructions(at)
    return at.point.cells * at.parts.pass.instructions + not_taken(at) * at.parts.guarded.instructions
end

-- Mispredictions between the best and the worst predictor (header).
local function any_wrong(at)
    local cells, void = at.point.cells, sequence(at).void
    local spread = DEVIATIONS * math.sqrt(void * (1 - void / cells))
    local least, most = math.max(0, void - spread), 2 * void * (1 - void / cells) + spread
    return { min = least, value = (least + most) / 2, max = most }
end

local function mispredicted(at)
    if at.code.name == "sorted" then
        return none_of(branches(at))
    elseif at.node.kind ~= "virtual" then
        return any_wrong(at)
    elseif at.parts.jumps_apart % FIRST_BITS == 0 then
        error("both jumps of sum_filled's loop may have the same counters; move one of them by a byte")
    end
    return sequence(at).wrong
end

-- The quotient of two models.
local function over(model, unit)
    return function(at)
        local amount, whole = model(at), unit(at)
        if type(amount) == "number" then
            return amount / whole
        end
        local shares = {}
        for key, part in pairs(amount) do
            shares[key] = part / whole
        end
        return shares
    end
end

return pattern {
    name = "control_flow",
    title = "Control-flow issues",
    health = true,
    class = "hazard",
    about = "The direction of a branch depends on random data: each misprediction stops the pipeline for the time of many instructions.",
    desired = "Retired branches, and the number of them that were mispredicted",
    advice = "Sort or bin the data so that neighbours go the same way, or do without the branch: a conditional move, a mask, "
        .. "arithmetic with 0 and 1, a table. Where each case is much work, first make a list of the elements of each case, "
        .. "and then a loop over each list.",
    codes = {
        code { name = "random", runs = "sum_filled" },
        code { name = "sorted", runs = "sum_filled" },
    },
    parameters = { "cells", "materials" },
    placements = { "core" },
    points = {
        point { cells = 2097152, materials = 2, quick = true },
        point { cells = 1048576, materials = 4 },
        point { cells = 1048576, materials = 8, quick = true },
    },
    quantities = {
        quantity { name = "branches", expect = branches },
        quantity { name = "branches taken", expect = taken },
        quantity { name = "branches not taken", expect = not_taken },
        quantity { name = "mispredicted branches", expect = mispredicted },
        quantity { name = "misprediction ratio", expect = over(mispredicted, branches) },
        quantity { name = "branches per instruction", expect = over(branches, instructions) },
    },
    -- Accesses to draw, sort and sum up the cells.
    cost = function(at)
        return 6 * at.point.cells
    end,
    controls = { present = control { code = "random" }, absent = control { code = "sorted" } },
    signature = "misprediction ratio",
    -- Many branches are mispredicted, and many per instruction. The second test excludes short loops: they have few branches, many of which
    -- are mispredicted at the loop's end.
    tests = {
        test { quantity = { "misprediction ratio" }, most = 1 },
        test { quantity = { "mispredicted branches" }, per = "instructions", most = 1 },
    },
    explains = explains {
        start = 4e5,
        needs = { "mispredicted branches" },
        cycles = function(at)
            return cost(at, "mispredicted branches")
        end,
    },
}
