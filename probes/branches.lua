-- Branches: twelve loops with a branch that is always taken, never, every other time, or at random (probes/branches.S).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Seven loops are those of Danalis et al., "Counter Inspection Toolkit" (figure 11), and confirm that paper's table of branches per
-- iteration. The five nested ones are like listing 1 of Barry, Danalis, Jagode, "Effortless Monitoring of Arithmetic
-- Intensity": half of the iterations execute a second branch, which always goes the same way. Listing 1 itself is
-- branches_nested_both_apart: no wrong path reaches a branch, so 2.5 branches per iteration are executed, and all of them retire.
-- The model repeats the random draws, so it knows which branches are taken. Mispredictions are only bounded: no predictor is better than
-- one that always predicts the more probable direction, and none should be worse than one that guesses each direction with its probability
-- (patterns/control_flow.lua derives both). With a probability of a half both bounds are the same.
local DEVIATIONS = 4

-- Number of draws, out of `times`, that are 0 (with probability 1 / one_of). Continues where the last call with fewer draws ended.
local drawn = {}

local function zeros(one_of, times)
    local known = drawn[one_of]
    if not known or known.draws > times then
        known = { state = 0, draws = 0, zeros = 0 }
        drawn[one_of] = known
    end
    local state, count = known.state, known.zeros
    for _ = known.draws + 1, times do
        state = state * 6364136223846793005 + 1442695040888963407
        count = ((state >> 33) * one_of) >> 31 == 0 and count + 1 or count
    end
    known.state, known.zeros, known.draws = state, count, times
    return count
end

local function by_chance(at)
    return at.times - zeros(at.point.one_of, at.times)
end

-- Number of times that the jump of the `if` is taken.
local JUMPS = {
    branches_halves = function(at) return at.times // 2 end,
    branches_never = function() return 0 end,
    branches_always = function(at) return at.times end,
    branches_chance = by_chance,
    branches_chance_apart = by_chance,
    branches_direct = function() return 0 end,
    branches_nested_apart = by_chance,
    branches_nested_taken_apart = by_chance,
    branches_nested_both_apart = by_chance,
    branches_nested = by_chance,
    branches_nested_taken = by_chance,
}

-- Mispredictions between the best and the worst predictor.
local function any_wrong(at, rare)
    local spread = DEVIATIONS * math.sqrt(rare * (1 - rare / at.times))
    local least, most = math.max(0, rare - spread), 2 * rare * (1 - rare / at.times) + spread
    return { min = least, value = (least + most) / 2, max = most }
end

-- Splits mispredictions by direction. A predictor that guesses the rare direction no more often than it occurs mispredicts most rare ones.
local function split(found, at, made)
    local rare = math.min(made, at.times - made)
    local guessed, spread = rare * (1 - rare / at.times), DEVIATIONS * math.sqrt(rare)
    local of_rare = { min = math.max(0, guessed - spread), value = (guessed + rare) / 2, max = rare }
    local of_others = { min = 0, value = guessed / 2, max = guessed + spread }
    local is_taken_rare = made < at.times - made
    found["mispredicted branches taken"] = is_taken_rare and of_rare or of_others
    found["mispredicted branches not taken"] = is_taken_rare and of_others or of_rare
end

local function sum_of(one, other)
    return { min = one.min + other.min, value = one.value + other.value, max = one.max + other.max }
end

-- Speculative branches. Wrong paths reach the loop's jump unless it is apart; those through the nested part reach that part's jump unless
-- that is apart.
local NONE = { min = 0, value = 0, max = 0 }
local UNLEARNT = 64 -- most predictions of `taken` for a jump that is never taken, until the predictor has learnt

local function begin(found, at)
    local loop = at.code.is_apart and NONE or found["mispredicted branches"]
    local part = at.code.nested and not at.code.part_is_apart and found["mispredicted branches taken"] or NONE
    if at.code.nested == "not taken" then
        found["conditional branches begun as taken"] = sum_of(loop, { min = 0, value = 0, max = UNLEARNT })
        found["conditional branches begun as not taken"] = sum_of(part, { min = -UNLEARNT, value = 0, max = 0 })
    else
        found["conditional branches begun as taken"] = sum_of(loop, part)
    end
end

local function counts(at)
    local parts, n = at.parts, at.times
    local jumps = JUMPS[at.code.name]
    local made = jumps and jumps(at)
    local guarded = made and n - made or 0
    local nested = at.code.nested and guarded or 0 -- iterations with the nested jump
    local over = at.code.nested == "taken" and nested or 0
    local found = concepts_of { { parts.constant, 1 }, { parts.pass, n }, { parts.guarded, guarded }, { parts.nested, nested - over } }
    found["conditional branches taken"] = n - 1 + (made or 0) + over
    found["conditional branches not taken"] = 1 + guarded + nested - over
    found["loads from L1"] = found["loads"]
    if at.code.by_chance then
        found["mispredicted branches"] = any_wrong(at, math.min(made, n - made))
        found["mispredicted conditional branches"] = found["mispredicted branches"]
        split(found, at, made)
        begin(found, at)
    end
    return found
end

local TIMES = { 50000, 100000, 150000, 200000 }
local TIMES_FAR = { 20000, 40000, 60000, 80000 } -- for loops ten times as long

return probe {
    name = "branches",
    title = "Branches",
    about = "Twelve loops with known branches in each iteration: their number, kinds and directions.",
    codes = {
        code { name = "branches_halves", runs = "branches_halves" },
        code { name = "branches_never", runs = "branches_never" },
        code { name = "branches_always", runs = "branches_always" },
        code { name = "branches_chance_apart", runs = "branches_chance_apart", by_chance = true, is_apart = true },
        code { name = "branches_chance", runs = "branches_chance", by_chance = true },
        code { name = "branches_nested_apart", runs = "branches_nested_apart", by_chance = true, nested = "not taken",
            is_apart = true },
        code { name = "branches_nested_taken_apart", runs = "branches_nested_taken_apart", by_chance = true, nested = "taken",
            is_apart = true },
        code { name = "branches_nested_both_apart", runs = "branches_nested_both_apart", by_chance = true, nested = "taken",
            is_apart = true, part_is_apart = true },
        code { name = "branches_nested", runs = "branches_nested", by_chance = true, nested = "not taken" },
        code { name = "branches_nested_taken", runs = "branches_nested_taken", by_chance = true, nested = "taken" },
        code { name = "branches_direct", runs = "branches_direct" },
        code { name = "branches_loop", runs = "branches_loop" },
    },
    parameters = { "one_of" },
    points = {
        point { code = "branches_halves", one_of = 2, times = TIMES },
        point { code = "branches_never", one_of = 2, times = TIMES },
        point { code = "branches_always", one_of = 2, times = TIMES },
        point { code = "branches_chance_apart", one_of = 2, times = TIMES_FAR },
        point { code = "branches_chance", one_of = 2, times = TIMES_FAR },
        point { code = "branches_chance", one_of = 4, times = TIMES_FAR },
        point { code = "branches_chance", one_of = 8, times = TIMES_FAR },
        point { code = "branches_chance", one_of = 16, times = TIMES_FAR },
        point { code = "branches_chance", one_of = 32, times = TIMES_FAR },
        point { code = "branches_nested_apart", one_of = 2, times = TIMES_FAR },
        point { code = "branches_nested_taken_apart", one_of = 2, times = TIMES_FAR },
        point { code = "branches_nested_both_apart", one_of = 2, times = TIMES_FAR },
        point { code = "branches_nested", one_of = 2, times = TIMES_FAR },
        point { code = "branches_nested_taken", one_of = 2, times = TIMES_FAR },
        point { code = "branches_direct", one_of = 2, times = TIMES },
        point { code = "branches_loop", one_of = 2, times = TIMES },
    },
    curves = {
        curve {
            name = "mispredictions",
            title = "A branch that goes one way by chance, once in K on average",
            code = "branches_chance",
            by = "one_of",
            values = function() return { 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 28, 32 } end,
            times = TIMES_FAR,
            axis = "K",
            x = function(at) return at.point.one_of end,
            per = "iteration",
            amount = function() return 1 end,
            shown = { "conditional branches", "conditional branches executed", "conditional branches taken", "mispredicted branches",
                "mispredicted conditional branches" },
            -- A predictor that always predicts the more probable direction is wrong once in K.
            naive = {
                ["conditional branches executed"] = function(at) return 2 + 1 / at.point.one_of end,
                ["mispredicted branches"] = function(at) return 1 / at.point.one_of end,
                ["mispredicted conditional branches"] = function(at) return 1 / at.point.one_of end,
            },
        },
    },
    -- The kinds in the Counter Inspection Toolkit's table.
    vectors = vectors {
        title = "Branches: conditional ones executed (CE), retired (CR), of these taken (T), direct jumps (D), mispredicted ones (M)",
        per = "iteration",
        concepts = { "conditional branches executed", "conditional branches", "conditional branches taken", "direct jumps",
            "mispredicted branches" },
        short = { "CE", "CR", "T", "D", "M" },
    },
    counts = counts,
}
