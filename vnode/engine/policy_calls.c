/* policy_calls.c - memory policy system calls, answered as Linux does on a machine with the node's domains.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "answers.h"
#include "core_api.h"
#include "engine.h"
#include "policy.h"

/* Linux' numbers. */
enum {
    MODE_STATIC = 1 << 15, /* flags that come with a mode */
    MODE_RELATIVE = 1 << 14,
    MODE_BALANCING = 1 << 13,
    MODE_FLAGS = MODE_STATIC | MODE_RELATIVE | MODE_BALANCING,
    GET_NODE = 1, /* of get_mempolicy */
    GET_ADDRESS = 2,
    GET_ALLOWED = 4,
    RANGE_STRICT = 1, /* of mbind and move_pages */
    RANGE_MOVE = 2,
    RANGE_MOVE_ALL = 4
};

enum { WORD_BITS = 64, SET_BITS_MAX = 1024, ASKED_BITS_MAX = 8 * 4096 };

/* Memories that can be chosen: also those without cores. */
static UInt domain_count(void) {
    return sim_memories(&engine.node->config);
}

static ULong all_domains(void) {
    return (1ULL << domain_count()) - 1;
}

static UInt domain_of(ThreadId tid) {
    return sim_numa_of(&engine.node->config, engine.thread[tid].core);
}

/* ---- arguments ---- */

/* Reads a set of `bits` - 1 domains, as these calls define it. 0 or an error. */
static Long read_domains(Addr address, UWord bits, ULong *out) {
    *out = 0;
    bits--;
    if (bits == 0 || !address)
        return 0;
    if (bits > ASKED_BITS_MAX)
        return -VKI_EINVAL;
    UWord words = (bits + WORD_BITS - 1) / WORD_BITS;
    if (!answer_readable(address, words * sizeof(ULong)))
        return -VKI_EFAULT;
    for (UWord i = 0; i < words; i++) {
        ULong word = ((const ULong *)address)[i];
        if (i == words - 1 && bits % WORD_BITS)
            word &= (1ULL << bits % WORD_BITS) - 1;
        if (i == 0)
            *out = word;
        else if (word && i >= SET_BITS_MAX / WORD_BITS)
            return -VKI_EINVAL;
    }
    return 0;
}

/* 0 or an error. */
static Long write_domains(Addr address, UWord bits, ULong domains) {
    UWord bytes = (bits - 1 + WORD_BITS - 1) / WORD_BITS * sizeof domains;
    if (!answer_writable(address, bytes))
        return -VKI_EFAULT;
    VG_(memset)((void *)address, 0, bytes);
    VG_(memcpy)((void *)address, &domains, bytes < sizeof domains ? bytes : sizeof domains);
    return 0;
}

/* Maps relative domain numbers to the node's domains, modulo their number. */
static ULong relative(ULong domains) {
    ULong folded = 0;
    for (; domains; domains &= domains - 1)
        folded |= 1ULL << (UInt)__builtin_ctzll(domains) % domain_count();
    return folded;
}

Long policy_make(UWord mode, ULong domains, struct policy *out) {
    UInt flags = (UInt)mode & MODE_FLAGS;
    Bool says_how = (flags & (MODE_STATIC | MODE_RELATIVE)) != 0;
    *out = (struct policy){(UInt)mode & ~(UInt)MODE_FLAGS, flags, 0};
    if (out->mode >= POLICY_MODES || (flags & MODE_STATIC && flags & MODE_RELATIVE) ||
        (flags & MODE_BALANCING && out->mode != POLICY_BIND))
        return -VKI_EINVAL;
    if (out->mode == POLICY_DEFAULT)
        return domains ? -VKI_EINVAL : 0;
    if (out->mode == POLICY_LOCAL || (out->mode == POLICY_PREFERRED && !domains)) {
        out->mode = POLICY_LOCAL;
        return domains || says_how ? -VKI_EINVAL : 0;
    }
    out->domains = (flags & MODE_RELATIVE ? relative(domains) : domains) & all_domains();
    return out->domains ? 0 : -VKI_EINVAL;
}

/* Reads a policy from arguments of mbind or set_mempolicy. 0 or an error. */
static Long read_policy(UWord mode, Addr address, UWord bits, struct policy *out) {
    ULong domains;
    Long error = read_domains(address, bits, &domains);
    return error ? error : policy_make(mode, domains, out);
}

static Bool is_mapped(Addr start, SizeT bytes) {
    return VG_(am_is_valid_for_client)(start, bytes, VKI_PROT_NONE);
}

static const struct policy *policy_at(ThreadId tid, Addr address) {
    const struct policy *own = policy_of_address(address);
    return own ? own : &engine.thread[tid].policy;
}

/* ---- a thread's policy, and that of a range ---- */

Long policy_set_mempolicy(ThreadId tid, const UWord *arguments) {
    struct policy policy;
    Long error = read_policy(arguments[0], arguments[1], arguments[2], &policy);
    if (!error)
        engine.thread[tid].policy = policy;
    return error;
}

/* Moves pages that the policy does not allow where they are, if `move`. Returns the number that remain. */
static ULong rearrange(ThreadId tid, Addr start, Addr end, const struct policy *policy, Bool move) {
    ULong misplaced = 0;
    for (Addr at = start; at < end; at += engine.node->config.page) {
        Int home = sim_home(engine.sim, at);
        if (home < 0 || policy_allows(policy, (UInt)home))
            continue;
        if (move)
            sim_set_home(engine.sim, at, policy_place(policy, sim_page(engine.sim, at), domain_of(tid)));
        else
            misplaced++;
    }
    return misplaced;
}

Long policy_mbind(ThreadId tid, const UWord *arguments) {
    Addr start = arguments[0], page = engine.node->config.page;
    Addr end = start + (arguments[1] + page - 1) / page * page;
    UWord flags = arguments[5];
    struct policy policy;
    if (flags & ~(UWord)(RANGE_STRICT | RANGE_MOVE | RANGE_MOVE_ALL) || start % page || end < start)
        return -VKI_EINVAL;
    Long error = read_policy(arguments[2], arguments[3], arguments[4], &policy);
    if (error || end == start)
        return error;
    if (!is_mapped(start, end - start))
        return -VKI_EFAULT;
    policy_set_range(start, end, &policy);
    if (!flags)
        return 0;
    ULong misplaced = rearrange(tid, start, end, &policy, (flags & (RANGE_MOVE | RANGE_MOVE_ALL)) != 0);
    return misplaced && flags & RANGE_STRICT ? -VKI_EIO : 0;
}

/* ---- queries ---- */

/* The domain of the page, which this touches, or the next domain of an interleaving thread. Negative: an error. */
static Long node_asked(ThreadId tid, Addr address, UWord flags) {
    const struct policy *policy = &engine.thread[tid].policy;
    if (flags & GET_ADDRESS)
        return sim_touch(engine.sim, address, domain_of(tid));
    if (policy->mode != POLICY_INTERLEAVE)
        return -VKI_EINVAL;
    return __builtin_ctzll(policy->domains);
}

Long policy_get_mempolicy(ThreadId tid, const UWord *arguments) {
    Addr mode_at = arguments[0], set_at = arguments[1], address = arguments[3];
    UWord bits = arguments[2], flags = arguments[4];
    if (flags & ~(UWord)(GET_NODE | GET_ADDRESS | GET_ALLOWED) ||
        (set_at && bits < sim_numa_nodes(&engine.node->config)) || (set_at && bits - 1 > ASKED_BITS_MAX) ||
        (flags & GET_ALLOWED && flags != GET_ALLOWED) || (!(flags & GET_ADDRESS) && address))
        return -VKI_EINVAL;
    if (flags & GET_ADDRESS && !is_mapped(address, 1))
        return -VKI_EFAULT;
    struct policy policy = {POLICY_DEFAULT, 0, all_domains()};
    if (!(flags & GET_ALLOWED))
        policy = flags & GET_ADDRESS ? *policy_at(tid, address) : engine.thread[tid].policy;
    Long told = flags & GET_NODE ? node_asked(tid, address, flags) : (Long)(policy.mode | policy.flags);
    if (told < 0)
        return told;
    if (mode_at && !answer_writable(mode_at, sizeof(Int)))
        return -VKI_EFAULT;
    if (mode_at)
        *(Int *)mode_at = (Int)told;
    return set_at ? write_domains(set_at, bits, policy.domains) : 0;
}

/* ---- pages ---- */

/* Only pages of this process are known. 0 or an error. */
static Long check_process(ThreadId tid, Int process) {
    if (threads_named(tid, process) != VG_INVALID_THREADID)
        return 0;
    return VG_(kill)(process, 0) == -1 ? -VKI_ESRCH : -VKI_EPERM;
}

/* Whether the page is resident on the host: the kernel may have written it for the program. */
static Bool is_resident(Addr page) {
    UChar state = 0;
    SysRes asked = VG_(do_syscall)(__NR_mincore, page, engine.node->config.page, (UWord)&state, 0, 0, 0, 0, 0);
    return !sr_isError(asked) && (state & 1);
}

/* The page's domain, after moving it to `wanted` if that is a domain; or an error. */
static Long page_status(ThreadId tid, Addr address, const Int *wanted) {
    Addr page = address / engine.node->config.page * engine.node->config.page;
    if (!is_mapped(page, 1))
        return -VKI_EFAULT;
    if (sim_home(engine.sim, page) < 0 && !is_resident(page))
        return -VKI_ENOENT;
    if (wanted)
        sim_set_home(engine.sim, page, (UInt)*wanted);
    return sim_touch(engine.sim, page, domain_of(tid));
}

Long policy_move_pages(ThreadId tid, const UWord *arguments) {
    UWord count = arguments[1];
    const Addr *pages = (const Addr *)arguments[2];
    const Int *wanted = (const Int *)arguments[3];
    Int *status = (Int *)arguments[4];
    if (arguments[5] & ~(UWord)(RANGE_MOVE | RANGE_MOVE_ALL))
        return -VKI_EINVAL;
    Long error = check_process(tid, (Int)arguments[0]);
    if (error)
        return error;
    if (count > ~(UWord)0 / sizeof *pages || !answer_readable((Addr)pages, count * sizeof *pages) ||
        (wanted && !answer_readable((Addr)wanted, count * sizeof *wanted)) ||
        !answer_writable((Addr)status, count * sizeof *status))
        return -VKI_EFAULT;
    for (UWord i = 0; i < count; i++) {
        if (wanted && (wanted[i] < 0 || (UInt)wanted[i] >= domain_count()))
            return -VKI_ENODEV;
        status[i] = (Int)page_status(tid, pages[i], wanted ? &wanted[i] : NULL);
    }
    return 0;
}

static UInt nth(ULong domains, UInt n) {
    for (; n > 0; n--)
        domains &= domains - 1;
    return (UInt)__builtin_ctzll(domains);
}

/* Pages of the n-th old domain move to the n-th new one, modulo the number of new ones. */
Long policy_migrate_pages(ThreadId tid, const UWord *arguments) {
    ULong from, to;
    Long error = read_domains(arguments[2], arguments[1], &from);
    if (!error)
        error = read_domains(arguments[3], arguments[1], &to);
    if (!error)
        error = check_process(tid, (Int)arguments[0]);
    if (error)
        return error;
    if (!to || to & ~all_domains())
        return -VKI_EINVAL;
    UInt where[WORD_BITS], rank = 0;
    for (UInt domain = 0; domain < domain_count(); domain++) {
        where[domain] = domain;
        if (from >> domain & 1)
            where[domain] = nth(to, rank++ % (UInt)__builtin_popcountll(to));
    }
    sim_move_homes(engine.sim, where);
    return 0;
}
