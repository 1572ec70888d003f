-- odd.lua - cache and TLB geometries that no supported processor has, as node files (used by run.lua and tests/system/configuration.bats).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The properties of caches and TLBs in a node file (vnode/launch/node_desc_read.c); for L3, those of a slice.
local KIB, MIB = 1 << 10, 1 << 20

return {
    direct = { arch = "haswellEP", l1d = { size = 16 * KIB, ways = 1 }, l1i = { size = 16 * KIB, ways = 1 } },
    two_way = { arch = "haswellEP", l1d = { size = 64 * KIB, ways = 2 }, l1i = { size = 64 * KIB, ways = 2 },
        l2 = { size = 512 * KIB, ways = 2 } },
    four_way = { arch = "broadwellEP", l1d = { size = 32 * KIB, ways = 4 }, l2 = { size = 256 * KIB, ways = 4 },
        dtlb = { entries = 32, ways = 1 } },
    large_first = { arch = "skylakeX", l1d = { size = 48 * KIB, ways = 12 }, l2 = { size = 1280 * KIB, ways = 20 } },
    small_tlb = { arch = "haswellEP", dtlb = { entries = 16, ways = 4 }, stlb = { entries = 512, ways = 4 } },
    whole_tlb = { arch = "haswellEP", dtlb = { entries = 48, ways = 48 }, itlb = { entries = 16, ways = 16 },
        stlb = { entries = 1024, ways = 16 } },
    three_slices = { arch = "haswellEP", cores_per_socket = 3, l3 = { size = 1536 * KIB, ways = 12 } },
    large_last = { arch = "zen3", l2 = { size = 1 * MIB, ways = 8 }, l3 = { size = 512 * KIB, ways = 16 } },
    small_last = { arch = "skylakeX", l2 = { size = 256 * KIB, ways = 16 }, l3 = { size = 704 * KIB, ways = 11 } },
    long_lines = { arch = "haswellEP", line = 128, l1i = { size = 64 * KIB, ways = 4 } },
    large_pages = { arch = "haswellEP", page = 16384, dtlb = { entries = 64, ways = 8 } },
}
