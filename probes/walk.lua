-- Memory: repeated walks over data or code in a fixed cyclic order, column after column (probes/walk.S).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Each visit of a walk uses one cache line. The order is cyclic, so a cache or TLB holds either all lines or none (place_of); where that
-- is uncertain, nothing is claimed. With a page stride (4096, one column per line) each step changes page,
-- and each page holds `columns` lines. With a line stride (64) each page is entered once per walk. Before a
-- point's first region all its memory was written and walked through once.
--
-- Effects of one visit if level k holds the line and the levels before it do not (the number behind the last cache is memory):
--     load      load served by k; k >= 2: data read of L2, line into L1; k >= 3: line into L2, L2 evicts a clean one
--     store     no load; k >= 2: ownership request to L2, L1 writes a line back; k >= 3: L2 too; k >= 4: L3 too
--     update    like load, but evicted lines are modified
--     nt_store  eight non-temporal stores of one line, always to memory
--     refetch   all nt_stores, then loads of the same lines from memory, without evictions
--     call      k >= 2: instruction read of L2; k >= 3: line into L2; and a return, whose address is in L1
-- Split and locked accesses are only run on data in L1.
local LOADS = { load = true, refetch = true, update = true, locked = true, split = true }
local STORES = { store = true, nt_store = true, refetch = true, update = true, locked = true, split_store = true }

local function line(at)
    return at.node.line_bytes
end

-- Per walk: number of visits, of pages, and of visits that change page.
local function shape(at)
    local page = at.code.large and at.machine.processor.large_page or at.machine.processor.page
    local visits = at.point.steps * at.point.columns
    if at.point.stride >= page then
        return visits, at.point.steps, visits
    end
    local pages = at.point.steps * at.point.stride / page
    return visits, pages, pages
end

local PAST = { nt_store = true, refetch = true } -- stores that leave no line in any cache

-- Level that holds the lines: 1, 2, .., or one more than the number of caches (memory); nil if that is uncertain.
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

-- What translates the pages: 1: first TLB, 2: second TLB, 3: page walk; nil if that is uncertain or the TLB's size is unknown.
local function translated_by(at)
    local processor = at.machine.processor
    if at.code.large and not at.node.large_pages then
        return nil -- the node gives small pages instead
    end
    local first = processor.dtlb
    if at.code.act == "call" then
        first = processor.itlb
    elseif at.code.large then
        first = processor.dtlb_large or first -- without a large TLB: shared with small pages
    end
    local _, pages = shape(at)
    return first and place_of(pages, { first.entries, processor.stlb.entries })
end

-- Adds second-level TLB hits and page walks.
local function translate(found, at, what)
    local place, large = translated_by(at), at.code.large and "large " or ""
    local _, _, changes = shape(at)
    found["second-level TLB hits of " .. large .. what] = place and (place == 2 and changes * at.times or 0) or false
    found["page walks of " .. large .. what] = place and (place == 3 and changes * at.times or 0) or false
end

local SERVED = { "loads from L1", "loads from L2", "loads from L3 alone", "loads from memory" }
-- Requests by the level that holds the line; index 1 is L2.
local ASKED = {
    refetch = { "data reads in L2", "data reads in L3 alone", "data reads from memory" },
    load = { "data reads in L2", "data reads in L3 alone", "data reads from memory" },
    update = { "data reads in L2", "data reads in L3 alone", "data reads from memory" },
    store = { "ownership in L2", "ownership in L3 alone", "ownership from memory" },
    call = { "instruction reads in L2", "instruction reads in L3", "instruction reads from memory" },
}
-- Upper bounds of what the code between two walks adds (probes/walk.c): AROUND_MOST instructions of each kind. It also evicts lines and
-- translations; the next walk fetches at most BACK_MOST of them again.
local AROUND, AROUND_MOST = { "instructions", "loads", "loads from L1", "stores", "conditional branches taken",
    "conditional branches not taken", "direct jumps", "indirect calls" }, 20
local BACK, BACK_MOST = { "loads from L2", "loads from L3 alone", "loads from memory", "data reads in L2", "data reads in L3 alone",
    "data reads from memory", "ownership in L2", "ownership in L3 alone", "ownership from memory", "instruction reads in L2",
    "instruction reads in L3", "instruction reads from memory", "modified lines from L1", "lines into L2 alone",
    "modified lines from L2", "clean lines from L2", "modified lines from L3",
    "second-level TLB hits of loads", "second-level TLB hits of stores", "second-level TLB hits of instructions", "page walks of loads",
    "page walks of stores", "page walks of instructions", "aliased loads", "blocked loads", "mispredicted branches",
    "mispredicted conditional branches", "mispredicted branches taken", "mispredicted branches not taken" }, 8
-- At most 100 speculative branches per misprediction: no reorder buffer holds more.
local BEGUN, BEGUN_MOST = { "conditional branches begun as taken", "conditional branches begun as not taken" }, 100 * BACK_MOST
local LINES = { "modified lines from L1", "lines into L2 alone", "modified lines from L2", "clean lines from L2" }
local FITS = { refetch = true } -- no line is evicted: there is room for the fetched ones

-- Adds the line movements of `n` visits of lines in level k (nil: unknown).
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

-- Longest walk, in multiples of all caches together: longer ones show nothing new.
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
    local jumps = act == "refetch" and 2 or 1 -- loop branches per visit
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
    if act == "call" then -- targets differ: each call is mispredicted on a virtual node, perhaps on silicon
        local wrong = at.node.kind == "virtual" and n
        found["direct calls"], found["indirect calls"] = 0, n
        found["mispredicted branches"], found["mispredicted branches taken"] = wrong, wrong
        translate(found, at, "instructions")
    else
        translate(found, at, STORES[act] and not LOADS[act] and "stores" or "loads")
    end
    if at.point.stride % at.machine.processor.page == 0 and STORES[act] and LOADS[act] then
        found["aliased loads"] = false -- 4K aliasing with the store to the previous page
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
local LEAST = 20000 -- visits of a curve's smallest region, so that the code around them is negligible
local CODE_MOST = 2 << 20 -- bytes; virtual nodes translate code piece by piece, which takes long

-- Numbers from `low` to `high`, PER_OCTAVE for each doubling, rounded to multiples of `unit`.
local function spread(low, high, unit)
    local list = {}
    for i = 0, math.floor(PER_OCTAVE * math.log(high / low, 2) + 0.5) do
        local number = math.floor(low * 2 ^ (i / PER_OCTAVE) / unit + 0.5) * unit
        list[#list + 1] = number > (list[#list] or 0) and math.tointeger(number) or nil
    end
    return list
end

-- Numbers of lines: from a quarter of L1 to twice all caches together.
local function lines_of_caches(at)
    local all = capacity(at.machine, at.node, #at.node.caches, 1)
    return spread(at.node.caches[1].size_bytes / 4 // line(at), 2 * all // line(at), 8)
end

-- Code: from a quarter of L1I to 2 x (L1 + L2), at most CODE_MOST.
local function lines_of_code(at)
    local first = at.machine.levels[1].size
    return spread(first / 4 // line(at), math.min(CODE_MOST, 2 * capacity(at.machine, at.node, 2, 1)) // line(at), 8)
end

-- Numbers of pages: from a quarter of the first TLB to twice the second.
local function pages_of(tlb)
    return function(at)
        return spread(at.machine.processor[tlb].entries // 4, 2 * at.machine.processor.stlb.entries, 1)
    end
end

local function bytes_of(at)
    return at.point.steps * at.point.columns * line(at)
end

-- Largest walk that a level holds. A level that takes the victims of the one above it adds that one's size.
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

-- Curves over the number of lines (all in a row), and over the number of pages (one line on each).
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
    about = "Walks sized for each cache and TLB: loads, stores, updates, locked, split and non-temporal accesses, calls.",
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
        -- all `times` form one continuous walk
        code { name = "round_loads", runs = "walk_loads", act = "load", is_round = true },
        code { name = "round_stores", runs = "walk_stores", act = "store", is_round = true },
        code { name = "round_calls", runs = "walk_calls", act = "call", calls = { "walk_called" }, is_round = true },
    },
    needs_machine = true,
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
        -- in L3 (also with 1 MiB of L2): with page strides and with line strides
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
        -- in memory where the last cache has tens or hundreds of MiB
        point { code = "walk_loads", steps = 1114112, stride = 64, columns = 1, times = { 1, 2, 3 } },
        point { code = "walk_stores", steps = 1114112, stride = 64, columns = 1, times = { 1, 2, 3 } },
        point { code = "walk_loads", steps = 6553600, stride = 64, columns = 1, times = { 1, 2, 3 } },
        point { code = "walk_stores", steps = 6553600, stride = 64, columns = 1, times = { 1, 2, 3 } },
        -- many pages with one line each
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
