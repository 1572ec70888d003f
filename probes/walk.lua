-- Memory: walks from place to place, column after column, over data or over code, again and again in the same order (probes/walk.S).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A place is a line. Between two visits of it lie all others, so that a cache or TLB has either all of them or none (place_of); a walk of
-- which that is not certain says nothing of it. With steps of a page and a column for each of its lines every step leads to another page,
-- and every page to as many lines; with steps of a line a page is visited once in a walk. Before the first region of a point all of it was
-- written to and walked through once.
--
-- What one visit makes, if the first `k` - 1 levels do not have the line and level k has (behind the last one memory):
--     load      a load from k; from 2 on a line into L1, and L2 is asked for it by a data read; from 3 on L2 takes it in and gives up
--               another one, clean
--     store     no load; L2 is asked for ownership, and lines are given up modified, by L1 from 2 on, by L2 from 3 on
--     update    as a load, with lines that are given up modified
--     nt_store  eight stores of a line that go past the caches: memory gets the line, whatever has it
--     refetch   an nt_store, and then, of all that was walked over, a load from memory, for which no other line has to go
--     call      an instruction read of L2 from 2 on, a line into L2 from 3 on; and a return, whose address is in L1
-- Of loads that take two lines, and of locked ones, only what the first level has is walked through.
local LOADS = { load = true, refetch = true, update = true, locked = true, split = true }
local STORES = { store = true, nt_store = true, refetch = true, update = true, locked = true, split_store = true }

local function line(at)
    return at.node.line_bytes
end

-- Visits of a walk, pages that they are spread over, and visits that come to another page.
local function shape(at)
    local page = at.code.large and at.machine.processor.large_page or at.machine.processor.page
    local visits = at.point.steps * at.point.columns
    if at.point.stride >= page then
        return visits, at.point.steps, visits
    end
    local pages = at.point.steps * at.point.stride / page
    return visits, pages, pages
end

local PAST = { nt_store = true, refetch = true } -- stores that no cache has a line of afterwards

-- The level that has the lines: 1, 2, .., or one behind the last; nil if that is not certain.
local function level_of(at)
    if at.code.act == "refetch" then
        return #at.node.caches + 1
    end
    local sizes = {}
    for number = 1, #at.node.caches do
        sizes[number] = capacity(at.machine, at.node, number, 1)
    end
    if at.code.act == "call" then
        sizes[1] = at.machine.levels[1].size
    end
    return place_of(at.point.steps * at.point.columns * line(at), sizes)
end

-- 1: the first TLB has the pages, 2: the second, 3: they are walked for; nil if that is not certain, or its entries are not known.
local function translated_by(at)
    local processor = at.machine.processor
    if at.code.large and not at.node.large_pages then
        return nil -- its pages are small ones
    end
    local first = processor.dtlb
    if at.code.act == "call" then
        first = processor.itlb
    elseif at.code.large then
        first = processor.dtlb_large or first -- a processor without has them among the small ones
    end
    local _, pages = shape(at)
    return first and place_of(pages, { first.entries, processor.stlb.entries })
end

-- Adds what the walks do to TLBs.
local function translate(found, at, what)
    local place, large = translated_by(at), at.code.large and "large " or ""
    local _, _, changes = shape(at)
    found["second-level TLB hits of " .. large .. what] = place and (place == 2 and changes * at.times or 0) or false
    found["page walks of " .. large .. what] = place and (place == 3 and changes * at.times or 0) or false
end

local SERVED = { "loads from L1", "loads from L2", "loads from L3 alone", "loads from memory" }
-- From the second level that has the line on.
local ASKED = {
    refetch = { "data reads in L2", "data reads in L3 alone", "data reads from memory" },
    load = { "data reads in L2", "data reads in L3 alone", "data reads from memory" },
    update = { "data reads in L2", "data reads in L3 alone", "data reads from memory" },
    store = { "ownership in L2", "ownership in L3 alone", "ownership from memory" },
    call = { "instruction reads in L2", "instruction reads in L3", "instruction reads from memory" },
}
-- What leads from walk to walk (probes/walk.c) has at most so many instructions of any kind, and where a walk takes what is in L1 or the
-- TLBs, so many lines and translations to bring back.
local AROUND, AROUND_MOST = { "instructions", "loads", "loads from L1", "stores", "conditional branches taken",
    "conditional branches not taken", "direct jumps", "indirect calls" }, 20
local BACK, BACK_MOST = { "loads from L2", "loads from L3 alone", "loads from memory", "data reads in L2", "data reads in L3 alone",
    "data reads from memory", "ownership in L2", "ownership in L3 alone", "ownership from memory", "instruction reads in L2",
    "instruction reads in L3", "instruction reads from memory", "modified lines from L1", "lines into L2 alone",
    "modified lines from L2", "clean lines from L2", "modified lines from L3",
    "second-level TLB hits of loads", "second-level TLB hits of stores", "second-level TLB hits of instructions", "page walks of loads",
    "page walks of stores", "page walks of instructions", "aliased loads", "blocked loads", "mispredicted branches",
    "mispredicted conditional branches", "mispredicted branches taken", "mispredicted branches not taken" }, 8
-- On the ways of each of these mispredictions a hundred at most: no processor has room for more.
local BEGUN, BEGUN_MOST = { "conditional branches begun as taken", "conditional branches begun as not taken" }, 100 * BACK_MOST
local LINES = { "modified lines from L1", "lines into L2 alone", "modified lines from L2", "clean lines from L2" }
local FITS = { refetch = true } -- lines for which none has to go

-- Adds what `n` visits of lines that level k has (nil: it is not known) do to the levels.
local function move(found, act, k, n)
    local asked = ASKED[act]
    local makes_modified = act == "store" or act == "update"
    local function amount(is_there)
        if k == nil then
            return false
        end
        return is_there and n or 0
    end
    for i, name in ipairs(asked) do
        found[name] = amount(k == i + 1)
    end
    found[LINES[1]] = amount(k and k >= 2 and makes_modified)
    found[LINES[2]] = amount(k and k >= 3)
    found[LINES[3]] = amount(k and k >= 3 and makes_modified)
    found[LINES[4]] = amount(k and k >= 3 and not makes_modified and not FITS[act])
    found["modified lines from L3"] = amount(k and k >= 4 and makes_modified)
end

local function widen(found, names, most)
    for _, name in ipairs(names) do
        local amount = found[name] == nil and 0 or found[name]
        found[name] = amount and { min = amount, value = amount, max = amount + most }
    end
end

-- Of all caches together: walks that are longer show what shorter ones do, in more time.
local LONGEST = 7

local function counts(at)
    local visits = shape(at)
    if visits * line(at) > LONGEST * capacity(at.machine, at.node, #at.node.caches, 1) then
        return nil
    end
    local n, act = visits * at.times, at.code.act
    local walks = at.code.is_round and 1 or at.times
    local list = { { at.parts.constant, walks }, { at.parts.pass, n } }
    if act == "call" then
        list[3] = { at.called.walk_called.constant, n }
    elseif act == "refetch" then
        list[3], list[4] = { at.called.walk_loads.constant, walks }, { at.called.walk_loads.pass, n }
    end
    local found = concepts_of(list)
    local k = level_of(at)
    local jumps = act == "refetch" and 2 or 1 -- back to the loop's begin, each visit
    found["conditional branches taken"], found["conditional branches not taken"] = jumps * (n - walks), jumps * walks
    found["loads from L1"], found["indirect calls"] = found["loads"], 0
    if ASKED[act] then
        move(found, act, k, n)
    elseif k ~= 1 and not PAST[act] then
        for _, name in ipairs(LINES) do
            found[name] = false
        end
    end
    if PAST[act] then
        found["lines past the caches"] = n
    end
    if LOADS[act] and k ~= 1 then
        found["loads from L1"] = k and found["loads"] - n or false
        for number, name in ipairs(SERVED) do
            if number > 1 then
                found[name] = k and (number == math.min(k, #SERVED) and n or 0) or false
            end
        end
    end
    if act == "call" then -- each leads elsewhere than the one before, which a virtual node does not foresee, and a processor may
        local wrong = at.node.kind == "virtual" and n
        found["direct calls"], found["indirect calls"] = 0, n
        found["mispredicted branches"], found["mispredicted branches taken"] = wrong, wrong
        translate(found, at, "instructions")
    else
        translate(found, at, STORES[act] and not LOADS[act] and "stores" or "loads")
    end
    if at.point.stride % at.machine.processor.page == 0 and STORES[act] and LOADS[act] then
        found["aliased loads"] = false -- behind the store to the page before
    end
    widen(found, AROUND, AROUND_MOST * walks)
    widen(found, BACK, BACK_MOST * walks)
    widen(found, BEGUN, BEGUN_MOST * walks)
    found["locked loads"] = act == "locked" and n or 0
    found["split loads"] = act == "split" and n or 0
    found["split stores"] = act == "split_store" and n or 0
    return found
end

local PER_OCTAVE = 6 -- points of a curve
local LEAST = 20000 -- visits of a curve's smallest region, so that what is around them is little
local CODE_MOST = 2 << 20 -- bytes: what is called from is made ready piece by piece, which takes long

-- Numbers from `low` to `high`, so many to each doubling, multiples of `unit`.
local function spread(low, high, unit)
    local list = {}
    for i = 0, math.floor(PER_OCTAVE * math.log(high / low, 2) + 0.5) do
        local number = math.floor(low * 2 ^ (i / PER_OCTAVE) / unit + 0.5) * unit
        list[#list + 1] = number > (list[#list] or 0) and math.tointeger(number) or nil
    end
    return list
end

-- Steps of a line, from a quarter of the first level to twice all levels.
local function lines_of_caches(at)
    local all = capacity(at.machine, at.node, #at.node.caches, 1)
    return spread(at.node.caches[1].size_bytes / 4 // line(at), 2 * all // line(at), 8)
end

-- Of code: from a quarter of its first level to twice the second.
local function lines_of_code(at)
    local first = at.machine.levels[1].size
    return spread(first / 4 // line(at), math.min(CODE_MOST, 2 * capacity(at.machine, at.node, 2, 1)) // line(at), 8)
end

-- Steps of a page, from a quarter of the first TLB to twice the second.
local function pages_of(tlb)
    return function(at)
        return spread(at.machine.processor[tlb].entries // 4, 2 * at.machine.processor.stlb.entries, 1)
    end
end

local function bytes_of(at)
    return at.point.steps * at.point.columns * line(at)
end

-- Up to where a level has what is walked through: with the one above it, if it takes that one's victims.
local function cache_mark(at, number, name)
    local mark = { x = at.node.caches[number].size_bytes, text = name }
    for _, level in ipairs(at.machine.levels) do
        if level.victims_to == name then
            mark = { x = mark.x + at.node.caches[number - 1].size_bytes, text = ("%s with %s"):format(name, level.name) }
        end
    end
    return mark
end

local function cache_marks(first)
    return function(at)
        local marks = {}
        for number in ipairs(at.node.caches) do
            marks[number] = cache_mark(at, number, ("L%d"):format(number))
        end
        if first == "L1I" then
            marks[1] = { x = at.machine.levels[1].size, text = first }
        end
        return marks
    end
end

local function tlb_marks(tlb, name)
    return function(at)
        local processor = at.machine.processor
        return { { x = processor[tlb].entries, text = name }, { x = processor.stlb.entries, text = "STLB" } }
    end
end

-- Walks of more and more lines, or of a line on each of more and more pages.
local function over_lines(what, act, code, values, first, shown)
    return curve { name = what .. " of lines", title = "Memory walked through by " .. what .. ", line after line", code = code,
        by = "steps", values = values, stride = 64, columns = 1, times = { 1, 2, 3 }, least = LEAST, axis = "walked through",
        is_bytes = true, x = bytes_of, per = act, amount = shape, marks = cache_marks(first), shown = shown }
end

local function over_pages(what, act, code, tlb, name, shown)
    return curve { name = what .. " of pages", title = "Pages with a line each, walked through by " .. what, code = code,
        by = "steps", values = pages_of(tlb), stride = 4160, columns = 1, times = { 1, 2, 3 }, least = LEAST, axis = "pages",
        x = function(at) return at.point.steps end, per = act, amount = shape, marks = tlb_marks(tlb, name), shown = shown }
end

return probe {
    name = "walk",
    title = "Memory",
    about = "Walks over lines of as many pages as some cache and some TLB have, by loads, stores, updates and calls.",
    codes = {
        code { name = "walk_loads", runs = "walk_loads", act = "load" },
        code { name = "walk_stores", runs = "walk_stores", act = "store" },
        code { name = "walk_updates", runs = "walk_updates", act = "update" },
        code { name = "walk_locked", runs = "walk_locked", act = "locked" },
        code { name = "walk_splits", runs = "walk_splits", act = "split" },
        code { name = "walk_split_stores", runs = "walk_split_stores", act = "split_store" },
        code { name = "walk_calls", runs = "walk_calls", act = "call", calls = { "walk_called" } },
        code { name = "walk_nt_stores", runs = "walk_nt_stores", act = "nt_store" },
        code { name = "walk_refetches", runs = "walk_nt_stores", act = "refetch", calls = { "walk_loads" } },
        code { name = "walk_large_loads", runs = "walk_loads", act = "load", large = true },
        code { name = "walk_large_stores", runs = "walk_stores", act = "store", large = true },
        -- all times are one walk
        code { name = "round_loads", runs = "walk_loads", act = "load", is_round = true },
        code { name = "round_stores", runs = "walk_stores", act = "store", is_round = true },
        code { name = "round_calls", runs = "walk_calls", act = "call", calls = { "walk_called" }, is_round = true },
    },
    parameters = { "steps", "stride", "columns" },
    points = {
        -- in L1
        point { code = "walk_loads", steps = 4, stride = 4096, columns = 64, times = { 50, 100, 150 } },
        point { code = "walk_stores", steps = 4, stride = 4096, columns = 64, times = { 50, 100, 150 } },
        point { code = "walk_locked", steps = 4, stride = 4096, columns = 64, times = { 50, 100, 150 } },
        point { code = "walk_splits", steps = 4, stride = 4096, columns = 31, times = { 100, 200, 300 } },
        point { code = "walk_split_stores", steps = 4, stride = 4096, columns = 31, times = { 100, 200, 300 } },
        -- in L2
        point { code = "walk_loads", steps = 24, stride = 4096, columns = 64, times = { 10, 20, 30 } },
        point { code = "walk_stores", steps = 24, stride = 4096, columns = 64, times = { 10, 20, 30 } },
        point { code = "walk_updates", steps = 24, stride = 4096, columns = 64, times = { 10, 20, 30 } },
        point { code = "walk_calls", steps = 24, stride = 4096, columns = 64, times = { 10, 20, 30 } },
        -- in L3, also where L2 has 1 MiB, a page every step, and line after line
        point { code = "walk_loads", steps = 544, stride = 4096, columns = 64, times = { 2, 4, 6 } },
        point { code = "walk_loads", steps = 34816, stride = 64, columns = 1, times = { 2, 4, 6 } },
        point { code = "walk_stores", steps = 544, stride = 4096, columns = 64, times = { 2, 4, 6 } },
        point { code = "walk_stores", steps = 34816, stride = 64, columns = 1, times = { 2, 4, 6 } },
        point { code = "walk_updates", steps = 544, stride = 4096, columns = 64, times = { 2, 4, 6 } },
        point { code = "walk_calls", steps = 544, stride = 4096, columns = 64, times = { 1, 2, 3 } },
        point { code = "walk_calls", steps = 34816, stride = 64, columns = 1, times = { 1, 2, 3 } },
        -- in memory
        point { code = "walk_loads", steps = 4096, stride = 4096, columns = 64, times = { 1, 2, 3 } },
        point { code = "walk_loads", steps = 262144, stride = 64, columns = 1, times = { 1, 2, 3 } },
        point { code = "walk_stores", steps = 4096, stride = 4096, columns = 64, times = { 1, 2, 3 } },
        point { code = "walk_nt_stores", steps = 24, stride = 4096, columns = 64, times = { 10, 20, 30 } },
        point { code = "walk_refetches", steps = 24, stride = 4096, columns = 64, times = { 10, 20, 30 } },
        -- where the last level has tens of MiB, and hundreds
        point { code = "walk_loads", steps = 1114112, stride = 64, columns = 1, times = { 1, 2, 3 } },
        point { code = "walk_stores", steps = 1114112, stride = 64, columns = 1, times = { 1, 2, 3 } },
        point { code = "walk_loads", steps = 6553600, stride = 64, columns = 1, times = { 1, 2, 3 } },
        point { code = "walk_stores", steps = 6553600, stride = 64, columns = 1, times = { 1, 2, 3 } },
        -- of many pages few lines each
        point { code = "walk_loads", steps = 2304, stride = 4160, columns = 1, times = { 20, 40, 60 } },
        point { code = "walk_stores", steps = 2304, stride = 4160, columns = 1, times = { 20, 40, 60 } },
        point { code = "walk_calls", steps = 2304, stride = 4160, columns = 1, times = { 10, 20, 30 } },
        point { code = "walk_loads", steps = 4608, stride = 4160, columns = 1, times = { 10, 20, 30 } },
        point { code = "walk_stores", steps = 4608, stride = 4160, columns = 1, times = { 10, 20, 30 } },
        point { code = "walk_calls", steps = 4608, stride = 4160, columns = 1, times = { 5, 10, 15 } },
        point { code = "walk_large_loads", steps = 144, stride = 2101312, columns = 1, times = { 200, 400, 600 } },
        point { code = "walk_large_stores", steps = 144, stride = 2101312, columns = 1, times = { 200, 400, 600 } },
    },
    curves = {
        over_lines("loads", "load", "round_loads", lines_of_caches, "L1", { "loads from L1", "loads from L2", "loads from L3 alone",
            "loads from memory", "data reads in L2", "data reads in L3 alone", "data reads from memory", "lines into L2 alone",
            "clean lines from L2" }),
        over_lines("stores", "store", "round_stores", lines_of_caches, "L1", { "ownership in L2", "ownership in L3 alone",
            "ownership from memory", "modified lines from L1", "modified lines from L2", "modified lines from L3" }),
        over_lines("calls", "call", "round_calls", lines_of_code, "L1I", { "instruction reads in L2", "instruction reads in L3",
            "instruction reads from memory" }),
        over_pages("loads", "load", "round_loads", "dtlb", "DTLB", { "second-level TLB hits of loads", "page walks of loads" }),
        over_pages("stores", "store", "round_stores", "dtlb", "DTLB", { "second-level TLB hits of stores", "page walks of stores" }),
        over_pages("calls", "call", "round_calls", "itlb", "ITLB", { "second-level TLB hits of instructions",
            "page walks of instructions" }),
    },
    counts = counts,
}
