-- Transfers: loads of lines that another core has, of the same last-level cache or of another socket (probes/transfers.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Each load is of another line, of which it is known where it is: changed in the other core's cache a moment ago; unchanged there, and in
-- nobody else's; or in the other socket's memory only. So each is one transfer of its kind, and nothing else. What happens to lines of
-- either core besides, and what boxes see that both cores share, is not said.
-- Where a line is taken from that another socket has unchanged, its caches or memory, is the processor's choice: said of a virtual node.
--
-- Between two times the cores wait for each other: so many instructions of any kind, and lines that go to and fro for it.
local AROUND = { "instructions", "loads", "loads from L1", "stores", "conditional branches taken", "conditional branches not taken",
    "direct jumps", "indirect calls", "direct calls", "returns", "locked loads" }
local AROUND_MOST, LINES_MOST = 1000, 12
local SERVED = { "loads from L2", "loads from L3 alone", "loads of lines clean elsewhere", "loads of lines modified elsewhere",
    "loads from memory", "loads from far memory", "loads of lines clean in another socket", "loads of lines modified in another socket" }
local READ = { "data reads in L2", "data reads in L3 alone", "data reads of lines clean elsewhere",
    "data reads of lines modified elsewhere", "data reads from memory", "data reads from far memory",
    "data reads of lines clean in another socket", "data reads of lines modified in another socket" }
local UNKNOWN = {
    "mispredicted branches", "mispredicted conditional branches", "mispredicted branches taken", "mispredicted branches not taken",
    "blocked loads", "aliased loads", "ownership in L2", "ownership in L3", "ownership from memory", "instruction reads in L2",
    "instruction reads in L3", "instruction reads from memory", "modified lines from L1", "lines into L2", "modified lines from L2",
    "clean lines from L2", "modified lines from L3", "lines past the caches", "page walks of loads", "page walks of stores",
    "page walks of instructions", "second-level TLB hits of loads", "second-level TLB hits of stores",
    "second-level TLB hits of instructions",
}
local LOADED = 63 -- lines of a page

-- What every load is, among SERVED and READ.
local KINDS = {
    transfers_modified = 4,
    transfers_clean = 3,
    transfers_modified_across = 8,
    transfers_clean_across = 7,
    transfers_memory_across = 6,
}

local function counts(at)
    local n, kind = at.point.pages * LOADED * at.times, KINDS[at.code.name]
    local found = concepts_of { { at.parts.constant, at.times }, { at.parts.pass, n } }
    found["conditional branches taken"], found["conditional branches not taken"] = n - at.times, at.times
    found["loads from L1"], found["direct calls"], found["indirect calls"] = 0, 0, 0
    for _, names in ipairs { SERVED, READ } do
        for i, name in ipairs(names) do
            local amount = i == kind and n or 0
            found[name] = { min = amount, value = amount, max = amount + LINES_MOST * at.times }
        end
        if at.node.kind ~= "virtual" and at.code.name == "transfers_clean_across" then
            found[names[5]], found[names[7]] = false, false
        end
    end
    for _, name in ipairs(AROUND) do
        local amount = found[name] or 0
        found[name] = { min = amount, value = amount, max = amount + AROUND_MOST * at.times }
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
    about = "Loads of lines that another core has: changed, unchanged, or in the memory of its socket.",
    codes = {
        code { name = "transfers_modified", runs = "walk_loads", mate = "pair" },
        code { name = "transfers_clean", runs = "walk_loads", mate = "pair" },
        code { name = "transfers_modified_across", runs = "walk_loads", mate = "across" },
        code { name = "transfers_clean_across", runs = "walk_loads", mate = "across" },
        code { name = "transfers_memory_across", runs = "walk_loads", mate = "across" },
    },
    parameters = { "pages" },
    points = {
        point { code = "transfers_modified", pages = 16, times = TIMES },
        point { code = "transfers_clean", pages = 16, times = TIMES },
        point { code = "transfers_modified_across", pages = 16, times = TIMES },
        point { code = "transfers_clean_across", pages = 16, times = TIMES },
        point { code = "transfers_memory_across", pages = 16, times = TIMES },
    },
    counts = counts,
}
