-- Instruction overhead: the same arithmetic in few wide and in many narrow instructions, and the cycles that both take.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Instructions of a region are those of the disassembled code. The Marker API adds a few thousand, which are not modelled: regions have
-- millions, so that these are below the tolerance. `data` says where a code's data lie: in registers, L1 or L2. Codes with more
-- instructions per sweep need fewer sweeps.
--
-- Cycles are predicted on virtual nodes only, where they are a sum (docs/time.md): a share for each instruction, the latency of L2 for each
-- line that L1 fetches from it, and one misprediction at the end of each sweep. (The predictor sees the loop's last twelve jumps, which
-- are the same before the last pass as before the others.) A prefetcher of L1 may have fetched any of the lines earlier, and then they
-- take no time. Core, reference and time-stamp clock are the same on a virtual node. On silicon cycles cannot be predicted: the frequency
-- varies, and instructions overlap.
local NATIVE = { none = "cycles, clock and time of a code are not known beforehand on a processor" }
local IN_PIPELINE = { none = "cycles of a pipeline are judged where llvm-mca predicts them: pipelining, alu_saturation" }

local function is_here(at)
    return at.point.data == at.code.data
end

-- `model` if the code's data lie where the point says, else nil.
local function here(model)
    return function(at)
        return is_here(at) and model(at) or nil
    end
end

local function virtual(model)
    return here(function(at)
        return at.node.kind == "virtual" and model(at) or NATIVE
    end)
end

-- Lines that L1 fetches from L2 in a sweep: lines of streams that are read, or written with write-allocate. Streams also displace the
-- kernel's stack frame and the call's description, 56 bytes each (validate/kernel/assembly.c). Each lies in one line or in two, depending
-- on the stack's address. Least, nominal, most.
local function lines_from_l2(at)
    if at.code.data ~= "L2" then
        return 0, 0, 0
    end
    local lines = 0
    for _, stream in ipairs(at.kernel.streams) do
        local fills = stream.loads or stream.stores and not stream.nontemporal
        lines = lines + (fills and at.point.elements * at.kernel.bytes_per_element / at.node.line_bytes or 0)
    end
    return lines_past(at.node, 1) > 0 and 0 or lines + 2, lines + 3, lines + 4
end

-- Cycles of the region divided by `unit`.
local function cycles_over(unit)
    return virtual(function(at)
        if at.node.has_pipeline then
            return IN_PIPELINE
        end
        local processor, latency = at.machine.processor, level_of(at.machine, 2).latency
        local fixed = at.count "instructions" * 4 / processor.instructions_per_cycle_x4 + at.point.passes * processor.branch_penalty
        local least, nominal, most = lines_from_l2(at)
        local function of(lines)
            return (fixed + at.point.passes * lines * latency) / unit(at)
        end
        return { min = of(least), value = of(nominal), max = of(most) }
    end)
end

local function instructions(at)
    return at.count "instructions"
end

local function clock_hz(at)
    return at.machine.processor.clock_hz
end

-- Counts per instruction; nil for codes without arithmetic, or in the other precision.
local function of_instructions(count)
    return here(function(at)
        local amount = count(at)
        return amount > 0 and amount / instructions(at) or nil
    end)
end

local function avx_operations(at)
    if at.code.bits < 256 then
        return none_of(1)
    end
    return at.own() > 0 and at.own() / instructions(at) or nil
end

local function flops(precision, bits)
    return here(function(at)
        local sum = at.count "flops"
        if sum == 0 or precision and at.code.precision ~= precision then
            return nil
        end
        return (bits == nil or at.code.bits == bits) and sum or none_of(sum)
    end)
end

-- Share of vector operations in the FLOPs of a precision, in %.
local function vector_share(precision)
    return here(function(at)
        if at.count "flops" == 0 or at.code.precision ~= precision then
            return nil
        end
        return at.code.bits > 64 and 100 or none_of(100)
    end)
end

local function divider_uops(at)
    local uops = at.machine.divider_uops
    return uops and at.count "divides" * uops[at.code.bits == 256 and "bits256" or "bits128"] or 0
end

local function division_flops(at)
    return at.count "divides" > 0 and at.count "flops" or 0
end

local function vectors(at)
    return at.count "vectors"
end

-- Accesses of codes whose elements need them. Those of calls alone are so few that what the Marker API adds is some percent of them.
local function counted(what)
    return here(function(at)
        local amount = at.count(what)
        return amount > at.count "instructions" / 100 and amount or nil
    end)
end

local function all_flops(at)
    return at.count "flops"
end

return pattern {
    name = "instruction_overhead",
    title = "Instruction overhead",
    class = "work",
    about = "Narrow instructions do the work of wide ones: the processor executes many instructions for little arithmetic.",
    desired = "Instructions and cycles per floating-point operation",
    advice = "Let an instruction do more: wider vectors, loops unrolled as far as registers last, addresses and conditions "
        .. "that do not change taken out of the loop, small functions inlined. Instructions without arithmetic in the hot "
        .. "loop are best seen in its disassembly.",
    codes = {
        code { name = "triad", kernel = "triad", data = "L1", bits = 256, precision = "dp" },
        code { name = "triad_sse", kernel = "triad_sse", data = "L1 narrow", bits = 128, precision = "dp" },
        code { name = "triad_scalar", kernel = "triad_scalar", data = "L1 narrow", bits = 64, precision = "dp" },
        code { name = "triad_sp", kernel = "triad_sp", data = "L1 sp", bits = 256, precision = "sp" },
        code { name = "triad_sp_sse", kernel = "triad_sp_sse", data = "L1", bits = 128, precision = "sp" },
        code { name = "triad_sp_scalar", kernel = "triad_sp_scalar", data = "L1 narrow", bits = 64, precision = "sp" },
        code { name = "load", kernel = "load", data = "L2", bits = 256, precision = "dp" },
        code { name = "copy", kernel = "copy", data = "L2", bits = 256, precision = "dp" },
        code { name = "fma_registers", kernel = "fma_registers", data = "registers", bits = 256, precision = "dp" },
        code { name = "div_avx", kernel = "div_avx", data = "registers", bits = 256, precision = "dp" },
        code { name = "div_scalar", kernel = "div_scalar", data = "registers", bits = 64, precision = "dp" },
    },
    placements = { "core" },
    points = {
        point { data = "L1", elements = 512, passes = 32768, quick = true },
        point { data = "L1", elements = 512, passes = 49152, quick = true },
        point { data = "L1 sp", elements = 512, passes = 49152, quick = true },
        point { data = "L1 sp", elements = 512, passes = 65536, quick = true },
        point { data = "L1 narrow", elements = 512, passes = 8192, quick = true },
        point { data = "L1 narrow", elements = 512, passes = 16384, quick = true },
        point { data = "L2", elements = 8192, passes = 2048 },
        point { data = "L2", elements = 8192, passes = 4096, quick = true },
        point { data = "registers", elements = 65536, passes = 256 },
        point { data = "registers", elements = 65536, passes = 512, quick = true },
    },
    quantities = {
        quantity { name = "cycles per instruction", expect = cycles_over(instructions) },
        quantity { name = "unhalted time", expect = cycles_over(clock_hz) },
        quantity { name = "region time", expect = cycles_over(clock_hz) },
        quantity { name = "clock", expect = virtual(function(at) return clock_hz(at) / 1e6 end) },
        quantity { name = "AVX operations per instruction", expect = here(avx_operations) },
        quantity { name = "divider uops per instruction", expect = of_instructions(divider_uops), optional = true },
        quantity { name = "division FLOPs", expect = here(function(at)
            return division_flops(at) > 0 and division_flops(at) or nil
        end), optional = true },
        quantity { name = "division FLOPs per instruction", expect = of_instructions(division_flops), optional = true },
        quantity { name = "FLOPs per instruction", expect = of_instructions(all_flops), optional = true },
        quantity { name = "vector instructions", expect = here(vectors), optional = true },
        quantity { name = "vector instructions per instruction", expect = of_instructions(vectors), optional = true },
        quantity { name = "loads", expect = counted "loads", optional = true },
        quantity { name = "stores", expect = counted "stores", optional = true },
        quantity { name = "rate of FLOPs", expect = flops(), optional = true },
        quantity { name = "rate of FLOPs DP", expect = flops "dp", optional = true },
        quantity { name = "rate of FLOPs SP", expect = flops "sp", optional = true },
        quantity { name = "rate of AVX FLOPs DP", expect = flops("dp", 256), optional = true },
        quantity { name = "rate of AVX FLOPs SP", expect = flops("sp", 256), optional = true },
        quantity { name = "scalar FLOPs DP", expect = flops("dp", 64), optional = true },
        quantity { name = "scalar FLOPs SP", expect = flops("sp", 64), optional = true },
        quantity { name = "128-bit FLOPs DP", expect = flops("dp", 128), optional = true },
        quantity { name = "128-bit FLOPs SP", expect = flops("sp", 128), optional = true },
        quantity { name = "256-bit FLOPs DP", expect = flops("dp", 256), optional = true },
        quantity { name = "256-bit FLOPs SP", expect = flops("sp", 256), optional = true },
        quantity { name = "share of vectors DP", expect = vector_share "dp", optional = true },
        quantity { name = "share of vectors SP", expect = vector_share "sp", optional = true },
    },
    -- Accesses that L1 serves are simulated faster and count half, instructions a twentieth.
    cost = function(at)
        return (at.count "loads" + at.count "stores") / 2 + at.count "instructions" / 20
    end,
    controls = { present = control { code = "triad_scalar" }, absent = control { code = "triad" } },
    signature = "AVX operations per instruction",
    -- There is arithmetic, and little of it is done by vector instructions.
    tests = {
        test { quantity = { "AVX operations", "FLOPs" }, per = "instructions" },
        test { quantity = { "FLOPs", "FLOPs DP" }, per = "instructions", against = "none" },
    },
    also = {
        also { pattern = "avx_flops", control = "absent", reason = "it is the same scalar code" },
        also { pattern = "ineffective_instructions", control = "absent", reason = "with short rows most instructions control the loop" },
        also { pattern = "sparse_indirection", control = "present", reason = "its sparse product has more loads than operations" },
        also { pattern = "store_forwarding", reason = "a pair takes two additions and many loads and stores" },
        also { pattern = "synchronisation", control = "present", reason = "threads that spin also calculate little per instruction" },
    },
    -- Instructions that no operation needs. Of several threads they may also be waits that spin.
    explains = explains {
        needs = { "instructions", "AVX operations|vector instructions" },
        may = { "FLOPs", "scalar FLOPs DP", "scalar FLOPs SP", "stores" },
        cycles = function(at)
            local spent = overhead(at, true)
            return { #at.threads == 1 and cost(at, "instructions", spent[1])[1] or 0, cost(at, "instructions", spent[2])[2] }
        end,
    },
}
