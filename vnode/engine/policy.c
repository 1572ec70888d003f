/* policy.c - the NUMA domains of the program's pages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_xarray.h"

#include "pages.h"
#include "perf.h"

/* Ranges sorted by address, without overlap. */
struct range {
    Addr start, end;
    struct policy policy;
};

static struct range *range_at(Word index) {
    return VG_(indexXA)(engine.policies, index);
}

/* Index of the first range that ends after the address. */
static Word first_behind(Addr address) {
    Word low = 0, high = VG_(sizeXA)(engine.policies);
    while (low < high) {
        Word middle = (low + high) / 2;
        if (range_at(middle)->end > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

const struct policy *policy_of_address(Addr address) {
    Word index = first_behind(address);
    if (index == VG_(sizeXA)(engine.policies) || range_at(index)->start > address)
        return NULL;
    return &range_at(index)->policy;
}

/* Removes the addresses from all ranges. Returns the index of the first range after them. */
static Word cut(Addr start, Addr end) {
    Word index = first_behind(start);
    while (index < VG_(sizeXA)(engine.policies) && range_at(index)->start < end) {
        struct range *range = range_at(index);
        if (range->start < start && range->end > end) {
            struct range rest = *range;
            rest.start = end;
            range->end = start;
            VG_(insertIndexXA)(engine.policies, index + 1, &rest);
            return index + 1;
        }
        if (range->start < start) {
            range->end = start;
            index++;
        } else if (range->end > end) {
            range->start = end;
        } else {
            VG_(removeIndexXA)(engine.policies, index);
        }
    }
    return index;
}

static Bool same(const struct policy *a, const struct policy *b) {
    return a->mode == b->mode && a->flags == b->flags && a->domains == b->domains;
}

void policy_set_range(Addr start, Addr end, const struct policy *policy) {
    Word index = cut(start, end);
    if (policy->mode == POLICY_DEFAULT)
        return;
    if (index > 0 && range_at(index - 1)->end == start && same(&range_at(index - 1)->policy, policy)) {
        range_at(index - 1)->end = end;
        return;
    }
    struct range range = {start, end, *policy};
    VG_(insertIndexXA)(engine.policies, index, &range);
}

static UInt lowest(ULong domains) {
    return (UInt)__builtin_ctzll(domains);
}

/* The next domain of the set for each next page, by page address as in Linux. */
static UInt interleaved(ULong domains, ULong page) {
    for (ULong skip = page % (ULong)__builtin_popcountll(domains); skip > 0; skip--)
        domains &= domains - 1;
    return lowest(domains);
}

/* The toucher's own memory, else its high-bandwidth memory, else the first of the set. */
static UInt nearest(ULong domains, UInt toucher) {
    UInt second = toucher + sim_numas(&engine.node->config);
    if (domains >> toucher & 1)
        return toucher;
    return domains >> second & 1 ? second : lowest(domains);
}

UInt policy_place(const struct policy *policy, ULong page, UInt toucher) {
    switch (policy->mode) {
    case POLICY_PREFERRED:
        return lowest(policy->domains);
    case POLICY_BIND:
    case POLICY_PREFERRED_MANY:
        return nearest(policy->domains, toucher);
    case POLICY_INTERLEAVE:
        return interleaved(policy->domains, page);
    default:
        return toucher;
    }
}

Bool policy_allows(const struct policy *policy, UInt domain) {
    return policy->mode == POLICY_DEFAULT || policy->mode == POLICY_LOCAL || (policy->domains >> domain & 1);
}

/* A large page is in one domain, that of its first small page. */
static uint32_t decide(void *context, uint64_t page, uint32_t toucher) {
    (void)context;
    Addr address = page * engine.node->config.page;
    Bool is_large = pages_is_large(address);
    if (is_large && pages_large_start(address) != address)
        return sim_touch(engine.sim, pages_large_start(address), toucher);
    perf_happened(engine.running, PERF_FAULTS);
    if (is_large)
        page = address / engine.node->config.large_page;
    const struct policy *policy = policy_of_address(address);
    return policy_place(policy ? policy : &engine.thread[engine.running].policy, page, toucher);
}

/* Leaves the node's whole pages of a range; False if it has none. */
static Bool keep_whole_pages(Addr *start, Addr *end) {
    Addr page = engine.node->config.page;
    *start = (*start + page - 1) / page * page;
    *end = *end / page * page;
    return *start < *end;
}

static void forget(Addr start, SizeT bytes) {
    Addr end = start + bytes;
    if (!keep_whole_pages(&start, &end))
        return;
    cut(start, end);
    pages_forget(start, end - start);
    sim_unmap(engine.sim, start, end - start);
}

void policy_drop(Addr start, SizeT bytes) {
    const NSegment *segment = VG_(am_find_nsegment)(start);
    Addr end = start + VG_PGROUNDUP(bytes);
    if (segment && segment->kind == SkAnonC && keep_whole_pages(&start, &end))
        sim_unmap(engine.sim, start, end - start);
}

static void map_anew(Addr start, SizeT bytes, Bool r, Bool w, Bool x, ULong debug_handle) {
    (void)r, (void)w, (void)x, (void)debug_handle;
    forget(start, bytes);
}

/* Pages keep their domain and policy; the old range is reported as unmapped separately. */
static void remap(Addr from, Addr to, SizeT bytes) {
    Addr page = engine.node->config.page;
    forget(to, bytes);
    for (Addr offset = 0; offset < bytes; offset += page) {
        const struct policy *policy = policy_of_address(from + offset);
        int home = sim_home(engine.sim, from + offset);
        if (home >= 0)
            sim_set_home(engine.sim, to + offset, (UInt)home);
        if (policy) {
            struct policy kept = *policy;
            policy_set_range(to + offset, to + offset + page, &kept);
        }
    }
}

void policy_start(void) {
    pages_start();
    engine.policies = VG_(newXA)(VG_(malloc), "policies", VG_(free), sizeof(struct range));
    sim_decide_homes(engine.sim, decide, NULL);
}

void policy_install(void) {
    VG_(track_new_mem_mmap)(map_anew);
    VG_(track_die_mem_munmap)(forget);
    VG_(track_die_mem_brk)(forget);
    VG_(track_copy_mem_remap)(remap);
}
