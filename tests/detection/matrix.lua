-- matrix.lua - which faults are injected into which quantities, and what the verdict must be.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- series: one quantity of a pattern, measured on few points so that one run takes seconds.
--   pattern, only, level, placement, node     the command line: assay validate PATTERN --node NODE --only ONLY ..
--   quick_points        with --quick: fewer points of the pattern
--   metric, group       what is judged; `events` count it on the counters of that group, `counter` is one of them, `box` its PCI
--                       device (uncore only)
--   faults              these only, where the model leaves the count so much freedom that the others cannot show
--   swap                { OTHER, class =, factor =|nil }: what the kernel's own streams make of another event
--   quick               also in the short matrix of the system tests
-- faults: for every series. `line` is the fault's line; $EVENT, $COUNTER, $BOX, $OTHER and what run.lua derives from a clean run:
--   $ADD     half of the largest expected count, so that it is far above the tolerance of the largest point
--   $P       the probability that gives 15 % of the regions a spike on some counter of the event
--   $SOON    the largest expected count of one counter times the series' `soon`, or 1.5: a later region wraps
--   $BITS    so many bits that the largest expected count of one counter fits barely: some region wraps, or reads a whole turn as 0
--   class, verdict      { .. }: any of these
--   factor, offset      the fitted constants, within 1 %; offset "$ADD": what the formula makes of $ADD on each of its counters
--   reason              must be in the metric's reason
--   reps                repetitions, where one is not enough to see it
--   effect = false      has no effect in runs that count less than 2^32: the metric must be exact
return {
    series = {
        {
            pattern = "bandwidth_saturation",
            only = "copy",
            level = "L2",
            placement = "S0:1",
            group = "ASSAY_L2",
            metric = "L1-L2 load volume",
            events = { "L1D_REPLACEMENT" },
            counter = "PMC0",
            swap = { "L2_TRANS_L1D_WB", class = "multiplicative", factor = 0.5 }, -- copy evicts one of the two lines that it loads
            quick = true,
        },
        {
            pattern = "bandwidth_saturation",
            only = "copy",
            level = "L2",
            placement = "S0:1",
            group = "ASSAY_L2",
            metric = "L1-L2 evict volume",
            events = { "L2_TRANS_L1D_WB" },
            counter = "PMC1",
            swap = { "L1D_REPLACEMENT", class = "multiplicative", factor = 2 },
        },
        {
            pattern = "bandwidth_saturation",
            only = "copy",
            level = "L3",
            placement = "S0:1",
            group = "ASSAY_L3",
            metric = "L2-L3 load volume",
            events = { "L2_LINES_IN_ALL" },
            counter = "PMC0",
            swap = { "L2_TRANS_L2_WB", class = "multiplicative", factor = 0.5 },
        },
        {
            pattern = "bandwidth_saturation",
            only = "copy",
            level = "L3",
            placement = "S0:1",
            group = "ASSAY_L3",
            metric = "L2-L3 evict volume",
            events = { "L2_TRANS_L2_WB" },
            counter = "PMC1",
            swap = { "L2_LINES_IN_ALL", class = "multiplicative", factor = 2 },
        },
        {
            pattern = "bandwidth_saturation",
            only = "copy",
            level = "L3",
            placement = "S0:1",
            group = "ASSAY_CBOX",
            metric = "CBOX data reads volume",
            events = { "LLC_LOOKUP_DATA_READ" },
            counter = "CBOX0C0",
            swap = { "LLC_VICTIMS_M", class = "missing" }, -- data in L3 displace nothing from it
        },
        {
            pattern = "bandwidth_saturation",
            only = "triad",
            level = "MEM",
            placement = "S0:1",
            group = "ASSAY_CBOX",
            metric = "CBOX modified victims volume",
            events = { "LLC_VICTIMS_M" },
            counter = "CBOX0C1",
            swap = { "LLC_LOOKUP_DATA_READ", class = "multiplicative", factor = 3 }, -- triad loads three lines for one that it modifies
        },
        {
            pattern = "bandwidth_saturation",
            only = "copy",
            level = "MEM",
            placement = "S0:1",
            group = "ASSAY_MEM",
            metric = "iMC read volume",
            events = { "CAS_COUNT_RD" },
            counter = "MBOX0C0",
            box = "MBOX0",
            swap = { "CAS_COUNT_WR", class = "multiplicative", factor = 0.5 },
        },
        {
            pattern = "bandwidth_saturation",
            only = "copy",
            level = "MEM",
            placement = "S0:1",
            group = "ASSAY_MEM",
            metric = "iMC write volume",
            events = { "CAS_COUNT_WR" },
            counter = "MBOX0C1",
            box = "MBOX0",
            swap = { "CAS_COUNT_RD", class = "multiplicative", factor = 2 },
        },
        {
            pattern = "bandwidth_saturation",
            only = "copy",
            level = "MEM",
            placement = "S0:1",
            group = "ASSAY_HA",
            metric = "HA write volume",
            soon = 1.2, -- at 1.5 it wraps between two regions, where nobody looks
            events = { "IMC_WRITES_ALL" },
            counter = "BBOX0C2",
            box = "BBOX0",
            swap = { "IMC_WRITES_PARTIAL", class = "missing" }, -- full lines only
        },
        {
            pattern = "bandwidth_saturation",
            only = "copy",
            level = "MEM",
            placement = "S0:1",
            group = "ASSAY_HA",
            metric = "HA read volume",
            events = { "IMC_READS_NORMAL" },
            counter = "BBOX0C0",
            box = "BBOX0",
            swap = { "IMC_WRITES_ALL", class = "multiplicative" },
        },
        {
            pattern = "avx_flops",
            only = "daxpy",
            group = "ASSAY_AVX",
            metric = "AVX operations",
            events = { "AVX_INSTS_CALC" },
            counter = "PMC0",
            swap = { "AVX_INSTS_STORES", class = "multiplicative", factor = 0.5 }, -- multiply and add, then one store
            quick = true,
        },
        {
            pattern = "avx_flops",
            only = "daxpy",
            group = "ASSAY_AVX",
            metric = "AVX FLOPs DP",
            events = { "AVX_INSTS_CALC" },
            counter = "PMC0",
            swap = { "AVX_INSTS_STORES", class = "multiplicative", factor = 0.5 },
        },
        {
            pattern = "avx_flops",
            only = "saxpy",
            group = "ASSAY_AVX",
            metric = "AVX FLOPs SP",
            events = { "AVX_INSTS_CALC" },
            counter = "PMC0",
            swap = { "AVX_INSTS_STORES", class = "multiplicative", factor = 0.5 },
        },
        {
            pattern = "long_latency",
            only = "div_avx",
            group = "ASSAY_DIVIDER",
            metric = "Divider uops",
            events = { "ARITH_DIVIDER_UOPS" },
            counter = "PMC0",
            swap = { "AVX_INSTS_CALC", class = "multiplicative", factor = 0.5 }, -- one instruction is two micro-operations
            quick = true,
        },
        {
            pattern = "load_imbalance",
            only = "halved",
            quick_points = true,
            group = "ASSAY_AVX",
            metric = "AVX operations",
            events = { "AVX_INSTS_CALC" },
            counter = "PMC0",
        },
        {
            pattern = "load_imbalance",
            only = "halved",
            quick_points = true,
            group = "ASSAY_AVX",
            metric = "Multiply-add elements DP",
            events = { "AVX_INSTS_CALC" },
            counter = "PMC0",
        },
        {
            pattern = "load_imbalance",
            only = "halved", -- all points: the larger ones are those whose interval is narrower than 5 %
            group = "ASSAY_L2",
            metric = "L1-L2 volume",
            events = { "L1D_REPLACEMENT", "L2_TRANS_L1D_WB" },
            counter = "PMC0",
        },
        {
            pattern = "load_imbalance",
            only = "halved", -- all points: the larger ones are those whose interval is narrower than 5 %
            group = "ASSAY_L3",
            metric = "L2-L3 volume",
            events = { "L2_LINES_IN_ALL", "L2_TRANS_L2_WB" },
            counter = "PMC0",
        },
        {
            pattern = "load_imbalance",
            only = "halved", -- all points: the larger ones are those whose interval is narrower than 5 %
            group = "ASSAY_CORE_MEM",
            metric = "Memory read volume of the core",
            events = { "OFFCORE_RESPONSE_0_OPTIONS" },
            counter = "PMC0",
        },
        {
            pattern = "line_sharing",
            placement = "S0:2",
            group = "ASSAY_SHARING",
            metric = "Loads of lines modified in this socket",
            events = { "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HITM" },
            counter = "PMC0",
            swap = { "MEM_LOAD_UOPS_L3_MISS_RETIRED_REMOTE_HITM", class = "missing" }, -- there is no other socket
        },
        {
            pattern = "line_sharing",
            placement = "S0:2",
            group = "ASSAY_SHARING",
            metric = "Reads of lines modified in this socket",
            events = { "OFFCORE_RESPONSE_0_OPTIONS" },
            counter = "PMC2",
        },
        {
            pattern = "line_sharing",
            node = "virtual:haswellEP-2x1",
            group = "ASSAY_SHARING",
            metric = "Loads of lines modified in another socket",
            events = { "MEM_LOAD_UOPS_L3_MISS_RETIRED_REMOTE_HITM" },
            counter = "PMC1",
            swap = { "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HITM", class = "missing" }, -- there is one core in each socket
        },
        {
            pattern = "line_sharing",
            node = "virtual:haswellEP-2x1",
            group = "ASSAY_SHARING",
            metric = "Reads of lines modified in another socket",
            events = { "OFFCORE_RESPONSE_1_OPTIONS" },
            counter = "PMC3",
        },
        {
            pattern = "false_sharing",
            only = "together",
            placement = "S0:2",
            group = "ASSAY_SHARING",
            metric = "Loads of modified lines",
            events = { "MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HITM" },
            counter = "PMC0",
            faults = { "stuck", "deny" },
        },
    },
    faults = {
        { name = "scale 0.6", line = "$EVENT scale 0.6", class = { "multiplicative" }, verdict = { "correctable" }, factor = 0.6 },
        { name = "scale 1.05", line = "$EVENT scale 1.05", class = { "multiplicative" }, verdict = { "correctable" }, factor = 1.05 },
        { name = "scale 3", line = "$EVENT scale 3", class = { "multiplicative" }, verdict = { "correctable" }, factor = 3 },
        { name = "add", line = "$EVENT add $ADD", class = { "bias" }, verdict = { "correctable" }, offset = "$ADD" },
        {
            name = "spike",
            line = "$EVENT spike 4 $P",
            class = { "random" },
            verdict = { "rejected", "qualitative" },
            reps = 8,
        },
        { name = "jitter", line = "$EVENT jitter 0.2", class = { "random" }, verdict = { "rejected", "qualitative" }, reps = 8 },
        { name = "stuck", line = "$EVENT stuck 1234567", class = { "missing" }, verdict = { "missing" } },
        {
            name = "wrap 32",
            line = "$EVENT wrap 32 $SOON",
            class = { "missing", "unknown" },
            verdict = { "missing", "rejected", "qualitative" },
            reason = "wrapped",
        },
        { name = "wrap 32 later", line = "$EVENT wrap 32", effect = false },
        {
            name = "wrap BITS",
            line = "$EVENT wrap $BITS",
            class = { "missing", "unknown" },
            verdict = { "missing", "rejected", "qualitative" },
        },
        { name = "swap", line = "$EVENT swap $OTHER", class = "swap", needs = "swap" },
        { name = "deny", line = "$COUNTER deny", class = { "missing" }, verdict = { "missing" }, reason = "no value" },
        {
            name = "nodevice",
            line = "$BOX nodevice",
            class = { "missing" },
            verdict = { "missing" },
            reason = "no value",
            needs = "box",
        },
    },
    clean_runs = 20,
}
