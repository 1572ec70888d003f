/* moment.c - a consistent snapshot of the counts of all processes but the client.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "moment.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "vnode/counts_parts.h"

enum { LOOK_NS = 50000, NS_PER_S = 1000000000 };
static const int64_t patience_ns = 2 * (int64_t)NS_PER_S;

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

void moment_ends(struct moment *moment) {
    if (moment)
        moment->holds = 0;
}

void moment_stops(struct moment *moment, uint32_t key) {
    if (moment && moment->used[key] == moment->number)
        moment->holds = 0;
}

void moment_uses(struct moment *moment, uint32_t key) {
    if (moment)
        moment->used[key] = moment->number;
}

/* ---- other processes ---- */

static int is_other(const struct node_view *view, const struct node_owner *owner) {
    pid_t pid = __atomic_load_n(&owner->pid, __ATOMIC_ACQUIRE);
    return pid != 0 && pid != view->client && (!owner->beside || !view->node->measures);
}

static uint32_t steps_of(const struct node_owner *owner) {
    return __atomic_load_n(&owner->steps, __ATOMIC_ACQUIRE);
}

/* Whether all other processes rest; asks running ones to. A dead one rests. */
static int all_rest(const struct node_view *view) {
    int rest = 1;
    for (int i = 0; i < NODE_SLOTS; i++) {
        struct node_owner *owner = &view->node->owner[i];
        if (!is_other(view, owner) || steps_of(owner) % 2 == 0 || (kill(owner->pid, 0) != 0 && errno == ESRCH))
            continue;
        __atomic_store_n(&owner->asked, 1, __ATOMIC_RELAXED);
        rest = 0;
    }
    return rest;
}

static void let_go_on(const struct node_view *view) {
    for (int i = 0; i < NODE_SLOTS; i++)
        if (__atomic_load_n(&view->node->owner[i].asked, __ATOMIC_RELAXED))
            __atomic_store_n(&view->node->owner[i].asked, 0, __ATOMIC_RELEASE);
}

static void add(const struct sim_config *config, struct sim_counts *sum, struct sim_counts *counts) {
    struct counts_part part[COUNTS_PARTS];
    counts_find_parts(config, part);
    for (int i = 0; i < COUNTS_PARTS; i++) {
        uint64_t *to = counts_totals(sum, &part[i]);
        const uint64_t *from = counts_totals(counts, &part[i]);
        for (size_t total = 0; total < part[i].totals; total++)
            to[total] += __atomic_load_n(&from[total], __ATOMIC_RELAXED);
    }
}

static void clear(const struct sim_config *config, struct sim_counts *sum) {
    struct counts_part part[COUNTS_PARTS];
    counts_find_parts(config, part);
    for (int i = 0; i < COUNTS_PARTS; i++)
        memset(counts_totals(sum, &part[i]), 0, part[i].totals * sizeof(uint64_t));
}

/* Sums up the counts; false if a process ran meanwhile. Call with the node locked. */
static int sum_up(const struct node_view *view) {
    struct node_file *node = view->node;
    struct moment *moment = view->moment;
    int rested = 1;
    clear(&node->config, &moment->sum);
    add(&node->config, &moment->sum, &node->ended);
    if (!node->measures)
        add(&node->config, &moment->sum, &node->ended_beside);
    moment->folds = node->folds;
    moment->measures = node->measures;
    moment->of_others = 0;
    for (int i = 0; i < NODE_SLOTS; i++) {
        const struct node_owner *owner = &node->owner[i];
        uint32_t steps = steps_of(owner);
        if (!is_other(view, owner))
            continue;
        add(&node->config, &moment->sum, &node->slot[i].live);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        moment->of_others = 1;
        rested &= steps_of(owner) == steps;
    }
    return rested;
}

static int try_to_take(const struct node_view *view, int patient) {
    if (!all_rest(view) && patient)
        return 0;
    node_lock(view->node);
    int rested = sum_up(view);
    node_unlock(view->node);
    return rested || !patient;
}

/* Whether the last moment's sums are still current. */
static int is_unchanged(const struct node_view *view) {
    const struct moment *moment = view->moment;
    int others = moment->of_others || moment->number == 0 || moment->folds != view->node->folds ||
                 moment->measures != view->node->measures;
    for (int i = 0; i < NODE_SLOTS && !others; i++)
        others = is_other(view, &view->node->owner[i]);
    return !others;
}

void moment_take(const struct node_view *view) {
    static const struct timespec look = {0, LOOK_NS};
    struct moment *moment = view->moment;
    if (!moment || moment->holds)
        return;
    int64_t since = now_ns();
    if (!is_unchanged(view)) {
        while (!try_to_take(view, now_ns() - since < patience_ns))
            nanosleep(&look, NULL);
        let_go_on(view);
    }
    moment->number++;
    moment->holds = 1;
}
