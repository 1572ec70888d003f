-- Transfers: loads of and stores to lines that another core has. That core shares the last level, or is in another socket
-- (probes/transfers.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Each access is to a different line, in a known state:
--     modified    the other core has just changed it
--     clean       the other core has it unchanged, and nobody else
--     dropped     as clean, but then the other core loaded twice as much as its L2 holds
--     memory      only the other socket's memory has it
-- So each access is one transfer of its kind. Nothing is claimed about other lines of the two cores, nor about boxes that both cores share.
-- An inclusive last level is not told when a core drops an unchanged line, so it asks that core. A victim level has the line by then, as it
-- takes the lines that L2 evicts; on silicon it may choose not to.
-- A line that another socket has unchanged may come from its caches or from memory, and may be shared afterwards or not: processors differ,
-- so this is claimed for virtual nodes only.
--
-- Between two passes the cores wait for each other, which takes a limited number of instructions of any kind, and of lines.
local AROUND = { "instructions", "loads", "loads from L1", "stores", "conditional branches taken", "conditional branches not taken",
    "direct jumps", "indirect calls", "direct calls", "returns", "locked loads" }
local AROUND_MOST, LINES_MOST = 1000, 12
-- For each state of a line: loads by source, the loads' requests to L2, the stores' requests to L2.
local PLACES = {
    own = { "loads from L2", "data reads in L2", "ownership in L2" },
    alone = { "loads from L3 alone", "data reads in L3 alone", "ownership in L3 alone" },
    clean = { "loads of lines clean elsewhere", "data reads of lines clean elsewhere", "ownership of lines clean elsewhere" },
    modified = { "loads of lines modified elsewhere", "data reads of lines modified elsewhere", "ownership of lines modified elsewhere" },
    dropped = { "loads of lines dropped elsewhere", "data reads of lines dropped elsewhere" },
    memory = { "loads from memory", "data reads from memory", "ownership from memory" },
    far = { "loads from far memory", "data reads from far memory", "ownership from far memory" },
    clean_across = { "loads of lines clean in another socket", "data reads of lines clean in another socket",
        "ownership of lines clean in another socket" },
    modified_across = { "loads of lines modified in another socket", "data reads of lines modified in another socket",
        "ownership of lines modified in another socket" },
}
local INSTRUCTIONS = { "instruction reads in L2", "instruction reads in L3", "instruction reads from memory" }
local LOADED, STORED = { 1, 2 }, { 3 } -- of PLACES' entries
local SHARED = { clean = true, modified = true, clean_across = true, modified_across = true } -- both cores have the line after a load
local UNKNOWN = and_mispredictions {
    "blocked loads", "aliased loads", "modified lines from L1", "lines into L2 alone", "modified lines from L2", "clean lines from L2",
    "modified lines from L3", "lines past the caches", "page walks of loads", "page walks of stores", "page walks of instructions",
    "second-level TLB hits of loads", "second-level TLB hits of stores", "second-level TLB hits of instructions",
}
local TOUCHED = 63 -- lines used per page

local function at_least(amount, more)
    return { min = amount, value = amount, max = amount + more }
end

-- The state of the lines; nil if that is uncertain.
local function place_of_lines(at)
    local levels = at.machine.levels
    if at.code.place ~= "dropped" or levels[#levels].inclusive then
        return at.code.place
    end
    return at.node.kind == "virtual" and "alone" or nil
end

local function counts(at)
    local place = place_of_lines(at)
    if not place then
        return nil
    end
    local is_virtual, is_store = at.node.kind == "virtual", at.code.runs == "walk_stores"
    local n, acts = at.point.pages * TOUCHED * at.times, is_store and STORED or LOADED
    local found = concepts_of { { at.parts.constant, at.times }, { at.parts.pass, n } }
    found["conditional branches taken"], found["conditional branches not taken"] = n - at.times, at.times
    found["loads from L1"], found["direct calls"], found["indirect calls"] = 0, 0, 0
    for _, concepts in pairs(PLACES) do
        for _, concept in ipairs(concepts) do
            found[concept] = at_least(0, LINES_MOST * at.times)
        end
    end
    for _, i in ipairs(acts) do
        found[PLACES[place][i]] = at_least(n, LINES_MOST * at.times)
        if place == "clean_across" and not is_virtual then
            found[PLACES.memory[i]], found[PLACES.clean_across[i]] = false, false
        end
    end
    for _, concept in ipairs(INSTRUCTIONS) do
        found[concept] = at_least(0, LINES_MOST * at.times)
    end
    local is_known = is_virtual or at.code.mate == "pair"
    found["shared lines into L2"] = is_known and at_least(not is_store and SHARED[place] and n or 0, LINES_MOST * at.times) or false
    for _, name in ipairs(AROUND) do
        found[name] = at_least(found[name] or 0, AROUND_MOST * at.times)
    end
    for _, name in ipairs(UNKNOWN) do
        found[name] = false
    end
    return found
end

local TIMES = { 1, 3, 5 }

return probe {
    name = "transfers",
    title = "Transfers",
    about = "Loads of and stores to lines that another core has modified, has unchanged or has dropped, or that its socket's memory has.",
    codes = {
        code { name = "transfers_modified", runs = "walk_loads", mate = "pair", place = "modified" },
        code { name = "transfers_clean", runs = "walk_loads", mate = "pair", place = "clean" },
        code { name = "transfers_dropped", runs = "walk_loads", mate = "pair", place = "dropped" },
        code { name = "transfers_modified_across", runs = "walk_loads", mate = "across", place = "modified_across" },
        code { name = "transfers_clean_across", runs = "walk_loads", mate = "across", place = "clean_across" },
        code { name = "transfers_memory_across", runs = "walk_loads", mate = "across", place = "far" },
        code { name = "takes_modified", runs = "walk_stores", mate = "pair", place = "modified" },
        code { name = "takes_clean", runs = "walk_stores", mate = "pair", place = "clean" },
        code { name = "takes_modified_across", runs = "walk_stores", mate = "across", place = "modified_across" },
        code { name = "takes_clean_across", runs = "walk_stores", mate = "across", place = "clean_across" },
        code { name = "takes_memory_across", runs = "walk_stores", mate = "across", place = "far" },
    },
    needs_machine = true,
    parameters = { "pages" },
    points = {
        point { code = "transfers_modified", pages = 16, times = TIMES },
        point { code = "transfers_clean", pages = 16, times = TIMES },
        point { code = "transfers_dropped", pages = 16, times = TIMES },
        point { code = "transfers_modified_across", pages = 16, times = TIMES },
        point { code = "transfers_clean_across", pages = 16, times = TIMES },
        point { code = "transfers_memory_across", pages = 16, times = TIMES },
        point { code = "takes_modified", pages = 16, times = TIMES },
        point { code = "takes_clean", pages = 16, times = TIMES },
        point { code = "takes_modified_across", pages = 16, times = TIMES },
        point { code = "takes_clean_across", pages = 16, times = TIMES },
        point { code = "takes_memory_across", pages = 16, times = TIMES },
    },
    counts = counts,
}
