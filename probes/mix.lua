-- Instructions: loops of a few instructions of one kind, with operands in registers and L1 (probes/mix.S).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Instructions of each kind are counted in the machine code. The machine code does not show the following, so each code states it: loads
-- that have part of their bytes in a store in flight, aliased loads, wide divisions, and prefetches per pass (`each`, all of one kind).
-- Prefetches fetch nothing, because L1 already has their lines.
local function counts(at)
    local parts, n = at.parts, at.times
    local list = { { parts.constant, 1 }, { parts.pass, n } }
    if at.called.mix_called then
        list[3] = { at.called.mix_called.constant, n * parts.pass.calls }
    end
    local found = concepts_of(list)
    found["conditional branches taken"], found["conditional branches not taken"] = n - 1, 1
    local is_wide = parts.pass.fp_256_sp + parts.pass.fp_256_dp > 0
    if is_wide then
        found["wide divisions"] = n * parts.pass.divides
        found["divisions"] = found["divisions"] - found["wide divisions"]
    end
    for _, name in ipairs { "software prefetches", "software prefetches for writing", "non-temporal software prefetches" } do
        found[name] = n * (at.code.prefetches == name and at.code.each or 0)
    end
    found["blocked loads"] = at.code.blocked and n or 0
    found["aliased loads"] = at.code.aliased and n or 0
    found["loads from L1"] = found["loads"]
    return found
end

local TIMES = { 10000, 20000, 30000, 40000 }

return probe {
    name = "mix",
    title = "Instructions",
    about = "Loops of a few instructions of one kind, width and precision, and loads right after stores.",
    codes = {
        code { name = "mix_nops", runs = "mix_nops" },
        code { name = "mix_calls", runs = "mix_calls", calls = { "mix_called" } },
        code { name = "mix_avx_loads", runs = "mix_avx_loads" },
        code { name = "mix_avx_stores", runs = "mix_avx_stores" },
        code { name = "mix_scalar_sp", runs = "mix_scalar_sp" },
        code { name = "mix_scalar_dp", runs = "mix_scalar_dp" },
        code { name = "mix_128_sp", runs = "mix_128_sp" },
        code { name = "mix_128_dp", runs = "mix_128_dp" },
        code { name = "mix_256_sp", runs = "mix_256_sp" },
        code { name = "mix_256_dp", runs = "mix_256_dp" },
        code { name = "mix_divide", runs = "mix_divide" },
        code { name = "mix_divide_wide", runs = "mix_divide_wide" },
        code { name = "mix_not_forwarded", runs = "mix_not_forwarded", blocked = true },
        code { name = "mix_forwarded", runs = "mix_forwarded" },
        code { name = "mix_aliased", runs = "mix_aliased", aliased = true },
        code { name = "mix_prefetches", runs = "mix_prefetches", prefetches = "software prefetches", each = 3 },
        code { name = "mix_prefetches_write", runs = "mix_prefetches_write", prefetches = "software prefetches for writing", each = 2 },
        code { name = "mix_prefetches_nt", runs = "mix_prefetches_nt", prefetches = "non-temporal software prefetches", each = 1 },
    },
    parameters = {},
    points = {
        point { code = "mix_nops", times = TIMES },
        point { code = "mix_calls", times = TIMES },
        point { code = "mix_avx_loads", times = TIMES },
        point { code = "mix_avx_stores", times = TIMES },
        point { code = "mix_scalar_sp", times = TIMES },
        point { code = "mix_scalar_dp", times = TIMES },
        point { code = "mix_128_sp", times = TIMES },
        point { code = "mix_128_dp", times = TIMES },
        point { code = "mix_256_sp", times = TIMES },
        point { code = "mix_256_dp", times = TIMES },
        point { code = "mix_divide", times = TIMES },
        point { code = "mix_divide_wide", times = TIMES },
        point { code = "mix_not_forwarded", times = TIMES },
        point { code = "mix_forwarded", times = TIMES },
        point { code = "mix_aliased", times = TIMES },
        point { code = "mix_prefetches", times = TIMES },
        point { code = "mix_prefetches_write", times = TIMES },
        point { code = "mix_prefetches_nt", times = TIMES },
    },
    counts = counts,
}
