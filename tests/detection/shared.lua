-- shared.lua - rows of the detection matrix that architectures share; their files name the rows that they use (fields: series.lua).
-- SPDX-License-Identifier: GPL-3.0-or-later
return {
    branches = {
        pattern = "control_flow",
        only = "random",
        group = "ASSAY_BRANCH",
        quick_points = true,
        rows = {
            { metric = "Branches" },
            { metric = "Mispredicted branches", soon = 1.1 }, -- the second region has a seventh of the first one's count
            {
                metric = "Branches taken",
                -- without the fault that wraps at $BITS: the counter would wrap between two regions, where nothing is read
                faults = { "scale 0.6", "scale 1.05", "scale 3", "add", "spike", "jitter", "stuck", "wrap 32", "wrap 32 later",
                    "deny" },
            },
        },
    },
    branches_not_taken = { pattern = "control_flow", only = "random", group = "ASSAY_BRANCH", quick_points = true,
        metric = "Branches not taken" },
    useful_operations = { pattern = "synchronisation", only = "apart", group = "ASSAY_SYNC", quick_points = true,
        metric = "Useful operations", soon = 0.45 }, -- one region has most of all counts
    instructions = { pattern = "synchronisation", only = "apart", group = "ASSAY_SYNC", quick_points = true, metric = "Instructions",
        events = { "INSTR_RETIRED_ANY" }, faults = { "scale 0.6", "scale 1.05", "scale 3", "jitter", "stuck" } },
    imbalanced_volumes = {
        pattern = "load_imbalance", -- without quick_points: only the larger points have expected memory volumes
        only = "halved",
        rows = {
            { group = "ASSAY_L2", metric = "L1-L2 volume" },
            { group = "ASSAY_L3", metric = "L2-L3 volume" },
            { group = "ASSAY_CORE_MEM", metric = "Memory read volume of the core" },
        },
    },
    loads_from_l1 = { pattern = "latency_bound", only = "blocked", group = "ASSAY_HITS", metric = "Loads from L1" },
    translations = {
        pattern = "latency_bound",
        only = "random",
        group = "ASSAY_TLB",
        rows = {
            { metric = "Second-level TLB hits of loads" },
            { metric = "Page walks of loads", soon = 0.45 }, -- one region has most of all counts
        },
    },
    page_placement = { -- on a node of two sockets
        pattern = "page_placement",
        group = "ASSAY_NUMA",
        rows = {
            { only = "by_one", metric = "Loads from own memory" },
            { only = "in_turn", metric = "Loads from other memory" },
            { only = "by_users", metric = "Reads from own memory" },
            { only = "in_turn", metric = "Reads from other memory" },
        },
    },
    split_loads = { pattern = "split_loads", only = "shifted", group = "ASSAY_SPLIT", metric = "Split loads", quick_points = true },
    store_forwarding = { pattern = "store_forwarding", only = "halves", group = "ASSAY_BLOCKS", metric = "Loads not forwarded",
        quick_points = true },
    aliasing = { pattern = "address_aliasing", only = "aliased", group = "ASSAY_BLOCKS", metric = "Aliased loads", quick_points = true },
    locked_loads = { pattern = "atomic_updates", only = "shared", group = "ASSAY_LOCKS", metric = "Locked loads", quick_points = true },
}
