-- Code without a loop, of a given number of instructions (probes/inline.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Plain code is a row of 100 to 1 000 000 no-operations of four bytes each (the in-line micro-benchmark of "Accuracy of performance
-- monitoring hardware"). The four curves over blocks are those of the Counter Analysis Toolkit's instruction-cache test. A block is two
-- lines and begins with a branch over the rest of the block. The branch is never taken, or always, so that the second line is not fetched.
-- Between two passes the code may be flushed, by a walk over data that fill all caches twice.
--
-- All lines of the code are fetched in the same order each time, so a cache holds all of them or none. When an inclusive level evicts a
-- line, L1I loses it too; a victim level does not do that.
local NOP_BYTES, BLOCK_LINES = 4, 2
local BLOCK_NOPS = 31
local ASKED = { "instruction reads in L2", "instruction reads in L3", "instruction reads from memory" }
local SERVED = { "loads from L2", "loads from L3 alone", "loads from memory" }
local READ = { "data reads in L2", "data reads in L3 alone", "data reads from memory" }
local UNKNOWN = and_mispredictions {
    "lines into L2 alone", "clean lines from L2", "modified lines from L1", "modified lines from L2", "modified lines from L3",
    "second-level TLB hits of loads", "page walks of loads",
}
local AROUND, AROUND_MOST = { "instructions", "loads", "loads from L1", "stores", "conditional branches taken",
    "conditional branches not taken", "direct jumps", "direct calls", "returns" }, 20
local BACK_MOST = 8 -- lines and translations of the code around a call

local function is_plain(at)
    return at.code.name == "inline_plain"
end

local function bytes_of(at)
    return at.point.count * (is_plain(at) and NOP_BYTES or BLOCK_LINES * at.node.line_bytes)
end

-- Lines fetched per pass, including the line of the return.
local function lines_of(at)
    local lines = bytes_of(at) // at.node.line_bytes
    return (at.code.name == "inline_false" and lines // BLOCK_LINES or lines) + 1
end

local function has_victim_level(at)
    for _, level in ipairs(at.machine.levels) do
        if level.victims_to == at.machine.levels[#at.machine.levels].name then
            return true
        end
    end
    return false
end

local function is_flushed(at)
    return at.point.flushed > 1
end

-- Level that holds the lines: 1, 2, .. or the number of caches + 1 for memory; nil if that is uncertain.
local function level_of(at)
    local sizes = { at.machine.levels[1].size }
    for number = 2, #at.node.caches do
        sizes[number] = capacity(at.machine, at.node, number, 1)
    end
    local as_lines, as_bytes = place_of(lines_of(at) * at.node.line_bytes, sizes), place_of(bytes_of(at), sizes)
    local place = as_lines == as_bytes and as_lines or nil
    if not is_flushed(at) then
        return place
    end
    return (not has_victim_level(at) or place ~= nil and place > 1) and #sizes + 1 or place
end

-- From `least` on; the upper end allows for BACK_MOST, once per region, or per pass if data are walked through in between.
local function some(least, at)
    return { min = least, value = least, max = least + BACK_MOST * (is_flushed(at) and at.times or 1) }
end

local function data_level(at)
    local sizes = {}
    for number = 1, #at.node.caches do
        sizes[number] = capacity(at.machine, at.node, number, 1)
    end
    return place_of(at.point.flushed * at.node.line_bytes, sizes)
end

-- The TLB that holds the code's pages (1, 2, or 3 for a page walk); nil if that is uncertain, or if data have used the TLB since.
local function translated_by(at)
    local processor = at.machine.processor
    return not is_flushed(at) and place_of(bytes_of(at) / processor.page, { processor.itlb.entries, processor.stlb.entries }) or nil
end

local function counts(at)
    local count, times, is_false = at.point.count, at.times, at.code.name == "inline_false"
    local walked = is_flushed(at) and at.point.flushed * times or 0
    local walks = is_flushed(at) and times or 0
    local found = concepts_of { { at.parts.constant, math.max(1, walks) }, { at.parts.pass, times },
        { at.called.walk_loads.constant, walks }, { at.called.walk_loads.pass, walked } }
    local blocks = is_plain(at) and 0 or count * times
    found["instructions"] = found["instructions"] + times -- the return
        + (is_plain(at) and count * times or blocks * (2 + (is_false and 0 or BLOCK_NOPS)))
    found["returns"] = found["returns"] + times
    found["direct calls"], found["indirect calls"] = 0, times
    local jumps = times - math.max(1, walks) + walked - walks
    found["conditional branches taken"] = jumps + (is_false and blocks or 0)
    found["conditional branches not taken"] = math.max(1, walks) + walks + (is_false and 0 or blocks)
    local k, data = level_of(at), data_level(at)
    local asked = lines_of(at) * times
    found["loads from L1"] = is_flushed(at) and 0 or found["loads"]
    for i, name in ipairs(ASKED) do
        found[name] = k ~= nil and some(k == i + 1 and asked or 0, at)
        found[SERVED[i]] = some(is_flushed(at) and data == i + 1 and walked or 0, at)
        found[READ[i]] = found[SERVED[i]]
    end
    local place, pages = translated_by(at), math.ceil(bytes_of(at) / at.machine.processor.page)
    found["second-level TLB hits of instructions"] = place ~= nil and some(place == 2 and pages * times or 0, at)
    found["page walks of instructions"] = place ~= nil and some(place == 3 and pages * times or 0, at)
    for _, concept in ipairs(UNKNOWN) do
        found[concept] = false
    end
    for _, concept in ipairs(is_flushed(at) and AROUND or {}) do
        found[concept] = { min = found[concept], value = found[concept], max = found[concept] + AROUND_MOST * times }
    end
    return found
end

local LEAST = 20000 -- instructions of a curve's smallest region
local CODE_MOST = 2 << 20 -- bytes of blocks; virtual nodes translate code piece by piece, which takes long

local function marks(at)
    local list = { { x = at.machine.levels[1].size, text = "L1I" } }
    for number = 2, #at.node.caches do
        list[number] = { x = at.node.caches[number].size_bytes, text = ("L%d"):format(number) }
    end
    return list
end

-- Numbers of instructions: 100 to 1 000 000, eight in each decade.
local function instructions()
    local list = {}
    for i = 0, 32 do
        list[i + 1] = math.tointeger(100 * 10 ^ (i / 8) // 1)
    end
    return list
end

-- Numbers of blocks: from a sixteenth of L1I to 2 x (L1 + L2), at most CODE_MOST; four for each doubling.
local function blocks(at)
    local bytes, list = at.machine.levels[1].size / 16, {}
    local most = math.min(CODE_MOST, 2 * capacity(at.machine, at.node, 2, 1))
    for i = 0, math.floor(4 * math.log(most / bytes, 2)) do
        list[i + 1] = math.tointeger(bytes * 2 ^ (i / 4) // (BLOCK_LINES * at.node.line_bytes))
    end
    return list
end

-- Number of lines that fill all caches, and each of their sets, twice.
local function fill(at)
    return 2 * capacity(at.machine, at.node, #at.node.caches, 1) // at.node.line_bytes
end

local function over_blocks(name, title, code, flushed)
    return curve { name = name, title = title, code = code, by = "count", values = blocks, flushed = flushed or 1,
        times = flushed and { 1, 2, 3 } or { 2, 4, 6 }, least = not flushed and LEAST // 10 or nil, axis = "code", is_bytes = true,
        x = bytes_of, per = "block",
        amount = function(at) return at.point.count end, marks = marks, shown = ASKED }
end

return probe {
    name = "inline",
    title = "Code",
    about = "Code without a loop: rows of no-operations, and blocks that begin with a branch over the rest of the block.",
    codes = {
        code { name = "inline_plain", runs = "inline_calls", calls = { "walk_loads" } },
        code { name = "inline_true", runs = "inline_calls", calls = { "walk_loads" } },
        code { name = "inline_false", runs = "inline_calls", calls = { "walk_loads" } },
    },
    needs_machine = true,
    parameters = { "count", "flushed" },
    points = {
        point { code = "inline_plain", count = 1000, flushed = 1, times = { 20, 40, 60 } },
        point { code = "inline_plain", count = 24000, flushed = 1, times = { 2, 4, 6 } },
        point { code = "inline_false", count = 600, flushed = 1, times = { 10, 20, 30 } },
    },
    curves = {
        curve { name = "in-line code", title = "Code of 100 to 1 000 000 instructions without a loop", code = "inline_plain", by = "count",
            values = instructions, flushed = 1, times = { 1, 2, 3 }, least = LEAST, axis = "code", is_bytes = true, x = bytes_of,
            per = "instruction", amount = function(at) return at.point.count end, marks = marks,
            shown = { "instruction reads in L2", "instruction reads in L3", "instruction reads from memory", "instructions" } },
        over_blocks("blocks of code, all run", "Blocks of code, all of each run", "inline_true"),
        over_blocks("blocks of code, all run, flushed", "Blocks of code, all of each run, caches filled with data between",
            "inline_true", fill),
        over_blocks("blocks of code, one line run", "Blocks of code, the first of two lines run", "inline_false"),
        over_blocks("blocks of code, one line run, flushed", "Blocks of code, the first of two lines run, caches filled with data between",
            "inline_false", fill),
    },
    counts = counts,
}
