-- A micro-architectural anomaly: loads whose bytes lie in two lines (patterns/split_loads.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A sum over `loads` adjacent vectors, `times` times. The first vector begins `shift` bytes after the start of a line; in the code without
-- split loads `shift` is a multiple of the vector. Load number k begins at byte (shift + k * bytes) modulo the line; it is split if it ends
-- in the next line:
--     32 bytes every 32, shifted by 8       one of two
--     16 bytes every 16, shifted by 8       one of four
--      8 bytes every  8, shifted by 4       one of eight

-- Number of split loads.
local function splits(at)
    local line, count = at.node.line_bytes, 0
    for load = 0, at.point.loads - 1 do
        local begin = (at.point.shift + load * at.code.bytes) % line
        count = count + (begin + at.code.bytes > line and 1 or 0)
    end
    return count * at.point.times
end

local function loads(at)
    if at.parts.pass.loads ~= 1 then
        error("a pass of the sum's loop is no load; compile it without unrolling")
    end
    return at.point.loads * at.point.times
end

local function split_loads(at)
    local count = splits(at)
    return count > 0 and count or none_of(loads(at))
end

return pattern {
    name = "split_loads",
    title = "Loads that split a line",
    health = true,
    class = "hazard",
    about = "Vectors are not aligned: every second load of 32 bytes crosses the end of a cache line and needs two accesses to the cache.",
    desired = "Loads whose bytes lie in two lines",
    advice = "Align arrays to the line (aligned_alloc, alignas) and rows to whole vectors (padding); where several arrays "
        .. "have different alignments, align the one that is accessed most by peeling, or else the one that is stored.",
    codes = {
        code { name = "shifted", runs = "sum_avx", bytes = 32 },
        code { name = "aligned", runs = "sum_avx", bytes = 32 },
        code { name = "shifted_half", runs = "sum_sse", bytes = 16 },
        code { name = "shifted_word", runs = "sum_scalar", bytes = 8 },
    },
    parameters = { "loads", "shift", "times" },
    placements = { "core" },
    points = {
        point { code = "shifted", loads = 256, shift = 8, times = 4000, quick = true },
        point { code = "shifted", loads = 256, shift = 40, times = 8000, quick = true },
        point { code = "aligned", loads = 256, shift = 64, times = 4000, quick = true },
        point { code = "aligned", loads = 256, shift = 32, times = 8000, quick = true },
        point { code = "shifted_half", loads = 256, shift = 8, times = 4000, quick = true },
        point { code = "shifted_half", loads = 512, shift = 8, times = 4000 },
        point { code = "shifted_word", loads = 512, shift = 4, times = 4000, quick = true },
        point { code = "shifted_word", loads = 1024, shift = 4, times = 4000 },
    },
    quantities = { quantity { name = "split loads", expect = split_loads } },
    cost = function(at)
        return at.point.loads * at.point.times
    end,
    controls = { present = control { code = "shifted" }, absent = control { code = "aligned" } },
    signature = "split loads",
    tests = { test { quantity = { "split loads" }, per = "instructions", most = 1 } },
    explains = explains {
        needs = { "split loads" },
        cycles = function(at)
            return cost(at, "split loads")
        end,
    },
}
