-- Bandwidth saturation: kernels whose lines per level and direction follow from their streams alone.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Declarations only (fields: lua/input/schema.lua). lua/model/traffic.lua derives the expected values from the kernel's streams.
-- interval_pct: at a region's start and end the caches may hold part of the data. There are enough passes to keep that part within this
-- share of the volume, on virtual nodes fewer (lua/plan/sizes.lua).
return pattern {
    name = "bandwidth_saturation",
    title = "Bandwidth saturation",
    class = "bottleneck",
    about = "Streams move as many lines as a memory level can deliver: more cores do not make them faster.",
    desired = "Data volume in both directions between the last level cache and memory, and between the cache levels above",
    advice = "Compare the measured bandwidth with that of a streaming kernel on as many cores. If it is the same, more cores "
        .. "do not help, but less data does: block loops for a cache, fuse loops over the same arrays, store in fewer bytes, and "
        .. "write with non-temporal stores what is not read again soon.",
    codes = {
        code { name = "load", kernel = "load" },
        code { name = "store", kernel = "store" },
        code { name = "copy", kernel = "copy" },
        code { name = "daxpy", kernel = "daxpy" },
        code { name = "ddot", kernel = "ddot" },
        code { name = "stream", kernel = "stream" },
        code { name = "triad", kernel = "triad" },
        code { name = "store_nt", kernel = "store_nt" },
        code { name = "copy_nt", kernel = "copy_nt" },
        code { name = "stream_nt", kernel = "stream_nt" },
        code { name = "triad_nt", kernel = "triad_nt" },
    },
    -- One code for each kind of traffic: lines only read, lines read for stores (write-allocate), non-temporal stores.
    against = { "load", "copy", "copy_nt" },
    levels = {
        level {
            name = "L1",
            boundaries = { "L1-L2" },
            against = { "L3-MEM", "L2-L3" },
            codes = { "load", "copy", "copy_nt" },
            placements = { "core" },
            points = 2,
            points_quick = 1,
            interval_pct = 1,
        },
        level {
            name = "L2",
            boundaries = { "L1-L2" },
            against = { "L2-L3", "L3-MEM" },
            placements = { "core" },
            points = 4,
            points_quick = 2,
            interval_pct = 0.25,
        },
        level {
            name = "L3",
            boundaries = { "L2-L3" },
            against = { "L3-MEM", "L1-L2" },
            placements = { "core" },
            points = 4,
            points_quick = 2,
            interval_pct = 1,
        },
        level {
            name = "MEM",
            boundaries = { "L3-MEM" },
            against = { "L2-L3", "L1-L2" },
            placements = { "core" },
            points = 3,
            points_quick = 1,
            interval_pct = 2,
        },
        level {
            name = "MEM",
            boundaries = { "L3-MEM" },
            placements = { "domain", "socket" },
            points = 3,
            points_quick = 1,
            interval_pct = 2,
        },
    },
    controls = {
        present = control { level = "MEM", placement = "socket" },
        -- Non-temporal stores go to memory, whichever level holds the data.
        absent = control { level = "L2", placement = "core", codes = { "load", "store", "copy", "daxpy", "ddot", "stream", "triad" } },
    },
    tests = { test { quantity = { "L3-MEM total bandwidth", "L3-MEM total DRAM channels 0-3 bandwidth" } } },
    also = {
        also { pattern = "atomic_updates", reason = "the keys are a stream larger than L3, and on a virtual node updates take no time" },
        also { pattern = "excess_volume", reason = "its stores go past the caches to memory, and on a virtual node they take no time" },
        also { pattern = "load_imbalance", control = "absent", reason = "a matrix larger than L3 is a stream from memory to both threads" },
    },
    -- The part of the time that memory and L3 need for these lines at their peak. As work and transfers may overlap, it is sure to
    -- explain only what exceeds half of the time. Random accesses are latency_bound's. Of the lines that are written, only those of
    -- non-temporal stores are sure to take time: the time model of virtual nodes has no evictions.
    explains = explains {
        needs = {
            "memory read volume", "L2-L3 load volume", "loads past L2", "loads from L3", "second-level TLB hits", "page walks",
        },
        may = { "L3-MEM evict volume|L3-MEM total DRAM channels 0-3 volume", "L2-L3 evict volume" },
        cycles = function(at)
            local busy, volume = 0, written(at)
            for _, counts in ipairs(at.threads) do
                local memory, past_l2 = counts["memory read volume"], counts["L2-L3 load volume"]
                local cycles = memory * at.line_cycles["L3-MEM"] + math.max(0, past_l2 - memory) * at.line_cycles["L2-L3"]
                busy = busy + (1 - random_part(counts)) * cycles * 1e9 / 64
            end
            local function with(stored)
                return math.min(at.longest, busy + stored * at.line_cycles["L3-MEM"] * 1e9 / 64)
            end
            return { math.max(0, 2 * with(volume[1]) - at.longest), with(volume[2]) }
        end,
    },
}
