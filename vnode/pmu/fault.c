/* fault.c - the effect of faults on the values that a client reads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "fault.h"

#include <math.h>
#include <string.h>

static int same_counter(const struct counter_id *a, const struct counter_id *b) {
    return a->kind == b->kind && a->instance == b->instance && a->index == b->index;
}

static int same_event(const struct selection_id *a, const struct selection_id *b) {
    return a->code == b->code && a->umask == b->umask && strcmp(a->unit, b->unit) == 0;
}

static int is_hit(const struct fault *fault, const struct programmed *at) {
    switch (fault->target) {
    case FAULT_EVENT:
        return same_event(&fault->event, &at->event);
    case FAULT_BOX:
        return fault->counter.kind == at->counter.kind && fault->counter.instance == at->counter.instance;
    case FAULT_SOCKET:
        return at->counter.kind >= 0 && fault->socket == at->socket;
    default:
        return same_counter(&fault->counter, &at->counter);
    }
}

/* The next fault of a programmed counter, from index `from` on, NULL: none. */
static const struct fault *next_of(const struct programmed *at, uint32_t from) {
    for (uint32_t i = from; at->faults && i < at->faults->count; i++) {
        const struct fault *fault = &at->faults->fault[i];
        if (is_hit(fault, at))
            return fault;
    }
    return NULL;
}

/* The last fault of a kind, which overrides earlier ones; NULL: none. */
static const struct fault *last_of(const struct programmed *at, enum fault_kind kind) {
    const struct fault *last = NULL;
    for (const struct fault *fault = next_of(at, 0); fault;
         fault = next_of(at, (uint32_t)(fault - at->faults->fault) + 1))
        if (fault->kind == kind)
            last = fault;
    return last;
}

uint64_t fault_mix(uint64_t x) {
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Uniform in (0, 1); `draw`: index of the number for one fault and counting interval. */
static double uniform(const struct programmed *at, const struct fault *fault, uint32_t interval, uint32_t draw) {
    const uint64_t parts[] = {(uint64_t)(fault - at->faults->fault),
                              (uint64_t)(int64_t)at->counter.kind,
                              at->counter.instance,
                              at->counter.index,
                              at->place,
                              interval,
                              draw};
    uint64_t x = fault_mix(at->faults->seed);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        x = fault_mix(x ^ parts[i]);
    return ((double)(x >> 11) + 0.5) / (double)(UINT64_C(1) << 53);
}

/* Standard normal deviate (Box and Muller). */
static double normal(const struct programmed *at, const struct fault *fault, uint32_t interval) {
    return sqrt(-2 * log(uniform(at, fault, interval, 0))) * cos(2 * acos(-1.0) * uniform(at, fault, interval, 1));
}

uint64_t fault_count(const struct programmed *at, uint32_t interval, uint64_t counted) {
    const struct fault *fault = next_of(at, 0);
    if (!fault)
        return counted;
    double count = (double)counted;
    for (; fault; fault = next_of(at, (uint32_t)(fault - at->faults->fault) + 1)) {
        if (fault->kind == FAULT_SCALE)
            count *= fault->factor;
        else if (fault->kind == FAULT_ADD)
            count += (double)fault->number;
        else if (fault->kind == FAULT_SPIKE && uniform(at, fault, interval, 0) < fault->probability)
            count *= fault->factor;
        else if (fault->kind == FAULT_JITTER)
            count *= fmax(0, 1 + fault->factor * normal(at, fault, interval)); /* counters never count down */
    }
    return isfinite(count) ? (uint64_t)fmod(round(count), ldexp(1, (int)at->bits)) : 0;
}

uint64_t fault_show(const struct programmed *at, uint64_t value) {
    const struct fault *stuck = last_of(at, FAULT_STUCK);
    return stuck ? stuck->number : value;
}

uint32_t fault_bits(const struct programmed *at) {
    const struct fault *wrap = last_of(at, FAULT_WRAP);
    return wrap ? (uint32_t)wrap->number : at->bits;
}

uint64_t fault_origin(const struct programmed *at) {
    const struct fault *wrap = last_of(at, FAULT_WRAP);
    return wrap && wrap->before ? (wrap->number < 64 ? UINT64_C(1) << wrap->number : 0) - wrap->before : 0;
}

int fault_swap(const struct programmed *at) {
    const struct fault *swap = last_of(at, FAULT_SWAP);
    return swap ? (int)swap->other : -1;
}

const struct fault *fault_mirror(const struct programmed *at) {
    return last_of(at, FAULT_MIRROR);
}

int fault_unfilters(const struct programmed *at) {
    return last_of(at, FAULT_UNFILTERED) != NULL;
}

int fault_counts_siblings(const struct programmed *at) {
    return last_of(at, FAULT_SIBLING) != NULL;
}

int fault_denies(const struct fault_list *faults, const struct counter_id *counter) {
    for (uint32_t i = 0; faults && i < faults->count; i++)
        if (faults->fault[i].kind == FAULT_DENY && same_counter(&faults->fault[i].counter, counter))
            return 1;
    return 0;
}

int fault_removes(const struct fault_list *faults, const struct pmu_table *table, int32_t kind, uint32_t instance) {
    for (uint32_t i = 0; faults && i < faults->count; i++) {
        const struct fault *fault = &faults->fault[i];
        if (fault->kind != FAULT_NO_DEVICE || fault->counter.instance != instance)
            continue;
        const struct box_layout *gone = &table->box[fault->counter.kind], *box = &table->box[kind];
        if (fault->counter.kind == kind || (gone->space != SPACE_MSR && strcmp(gone->device, box->device) == 0))
            return 1;
    }
    return 0;
}
