-- Chains of pointers through all units of a buffer, in order or at random, block by block (probes/chase.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The data-cache test of the Counter Analysis Toolkit (Barry, Danalis, Jagode, section 2.1; Danalis et al., section 4). Six curves over the
-- buffer's size: at random with one block as large as the buffer and with small blocks, and in order, each with units of one line and of
-- two lines. One curve over the pages of a block.
--
-- The chain is the same each time. Between two loads of a unit all others are loaded, so a level holds either all units or none. With units
-- of two lines half of the buffer's lines are loaded, and in most caches they map to half of the sets; where that is uncertain, nothing is
-- claimed. A block loads from each of its pages once per unit, in any order. If the first-level TLB holds a block's pages, each page costs
-- one translation per execution.
local SERVED = { "loads from L1", "loads from L2", "loads from L3 alone", "loads from memory" }
local READ = { "", "data reads in L2", "data reads in L3 alone", "data reads from memory" }
local UNKNOWN = and_mispredictions {
    "lines into L2 alone", "clean lines from L2", "modified lines from L1", "modified lines from L2", "modified lines from L3",
}
local BACK_MOST = 8 -- most lines and translations of the code around the region's executions, which follow each other without a gap

local function bytes_of(at)
    return at.point.units * at.point.unit
end

-- Level that holds the units: 1, 2, .. or the number of caches + 1 for memory; nil if that is uncertain.
local function level_of(at)
    local sizes = {}
    for number = 1, #at.node.caches do
        sizes[number] = capacity(at.machine, at.node, number, 1)
    end
    local as_lines, as_bytes = place_of(at.point.units * at.node.line_bytes, sizes), place_of(bytes_of(at), sizes)
    return as_lines == as_bytes and as_lines or nil
end

-- The TLB that holds the pages (1, 2, or 3 for a page walk), and translations per execution; nil if that is uncertain.
local function translated_by(at)
    local processor = at.machine.processor
    local pages, of_block = bytes_of(at) / processor.page, at.point.block * at.point.unit / processor.page
    local place = place_of(pages, { processor.dtlb.entries, processor.stlb.entries })
    if place == 1 then
        return 1, 0
    end
    local is_in_order = at.code.name == "chase_in_order"
    local is_held = place_of(math.max(1, of_block), { processor.dtlb.entries }) == 1
    return (is_in_order or is_held) and place or nil, math.ceil(pages)
end

local function some(least)
    return { min = least, value = least, max = least + BACK_MOST }
end

local function counts(at)
    local n = at.point.units * at.times
    local found = concepts_of { { at.parts.constant, 1 }, { at.parts.pass, n } }
    found["conditional branches taken"], found["conditional branches not taken"] = n - 1, 1
    local k = level_of(at)
    for number, name in ipairs(SERVED) do
        local amount = number == math.min(k or 0, #SERVED) and n or 0
        found[name] = k ~= nil and some(amount)
        if READ[number] ~= "" then
            found[READ[number]] = found[name]
        end
    end
    local place, translations = translated_by(at)
    found["second-level TLB hits of loads"] = place ~= nil and some(place == 2 and translations * at.times or 0)
    found["page walks of loads"] = place ~= nil and some(place == 3 and translations * at.times or 0)
    for _, concept in ipairs(UNKNOWN) do
        found[concept] = false
    end
    return found
end

local SIZES = 76 -- points of a curve over the buffer's size
local LEAST = 20000 -- loads of a curve's smallest region
local SMALL = 16 -- pages of a small block

-- Buffers from a quarter of L1 to twice all caches together, in units.
local function buffers(unit)
    return function(at)
        local low, high = at.node.caches[1].size_bytes / 4, 2 * capacity(at.machine, at.node, #at.node.caches, 1)
        local list = {}
        for i = 0, SIZES - 1 do
            list[#list + 1] = math.tointeger(low * (high / low) ^ (i / (SIZES - 1)) // unit)
        end
        return list
    end
end

local function cache_marks(at)
    local marks = {}
    for number, cache in ipairs(at.node.caches) do
        marks[number] = { x = cache.size_bytes, text = ("L%d"):format(number) }
    end
    return marks
end

local function units_of(at)
    return at.point.units
end

local function over_buffers(name, title, code, unit, block)
    return curve { name = name, title = title, code = code, by = "units", values = buffers(unit), unit = unit, block = block,
        times = { 1, 2, 3 }, least = LEAST, axis = "buffer", is_bytes = true, x = bytes_of, per = "load", amount = units_of,
        marks = cache_marks, shown = SERVED }
end

-- A curve over the pages of a block, in a buffer of at least twice the second-level TLB's pages.
local function over_pages()
    local LINES = 64 -- per page
    return curve {
        name = "pages of a block",
        title = "Pointers by chance in a buffer of 16 MiB, by blocks of pages",
        code = "chase_by_chance",
        by = "block",
        values = function(at)
            local list, pages = {}, 1
            while pages <= 16 * at.machine.processor.dtlb.entries do
                list[#list + 1] = pages * LINES
                pages = pages * 2
            end
            return list
        end,
        units = 4096 * LINES,
        unit = 64,
        times = { 1, 2, 3 },
        axis = "pages of a block",
        x = function(at) return at.point.block // LINES end,
        per = "load",
        amount = units_of,
        marks = function(at) return { { x = at.machine.processor.dtlb.entries, text = "DTLB" },
            { x = at.machine.processor.stlb.entries, text = "STLB" } } end,
        shown = { "second-level TLB hits of loads", "page walks of loads" },
    }
end

local ALL = 1 << 30 -- units; more than any buffer has, so that there is one block

return probe {
    name = "chase",
    title = "Pointers",
    about = "Chains of pointers through buffers, in order and at random, block by block.",
    codes = {
        code { name = "chase_in_order", runs = "chase_pointers" },
        code { name = "chase_by_chance", runs = "chase_pointers" },
    },
    needs_machine = true,
    parameters = { "units", "unit", "block" },
    points = {
        point { code = "chase_by_chance", units = 1536, unit = 64, block = ALL, times = { 10, 20, 30 } },
        point { code = "chase_by_chance", units = 34816, unit = 64, block = 1024, times = { 1, 2, 3 } },
    },
    curves = {
        over_buffers("pointers by chance", "Pointers by chance, a unit of a line, one block", "chase_by_chance", 64, ALL),
        over_buffers("pointers by chance in small blocks", "Pointers by chance, a unit of a line, blocks of 16 pages",
            "chase_by_chance", 64, SMALL * 64),
        over_buffers("pointers by chance to every second line", "Pointers by chance, a unit of two lines, one block",
            "chase_by_chance", 128, ALL),
        over_buffers("pointers by chance to every second line in small blocks",
            "Pointers by chance, a unit of two lines, blocks of 16 pages", "chase_by_chance", 128, SMALL * 32),
        over_buffers("pointers in order", "Pointers in order, a unit of a line", "chase_in_order", 64, ALL),
        over_buffers("pointers in order to every second line", "Pointers in order, a unit of two lines", "chase_in_order", 128, ALL),
        over_pages(),
    },
    counts = counts,
}
