/* wrong_path.h - speculative branches on the wrong path, until the misprediction resolves.
 *
 * A table of WRONG_PATH_PLACES entries gives the next branch after an address fetched before; only branches within
 * the wrong path's reach are stored. The index is (address xor address >> 9) modulo the entries. On the wrong path,
 * conditional branches follow the predictor with speculative history, direct ones their target. A fully fetched
 * branch counts. The path ends at an indirect branch or return, an unknown address, or its reach: WRONG_PATH_FETCH
 * bytes per misprediction cycle. Caches, TLBs and predictor are not affected.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_WRONG_PATH_H
#define ASSAY_SIM_WRONG_PATH_H

#include <stddef.h>
#include <stdint.h>

#include "hardware.h"

/* WRONG_PATH_FETCH: bytes fetched per cycle (Intel's optimisation reference manual: 16 from Sandy Bridge to
 * Broadwell). */
enum { WRONG_PATH_PLACES = 512, WRONG_PATH_FETCH = 16 };

/* Bytes of zeroed memory that one core needs. */
size_t wrong_path_bytes(void);
void wrong_path_init(struct wrong_path *wrong_path, void *memory);

static inline struct wrong_path_place *wrong_path_place(const struct wrong_path *wrong_path, uint64_t start) {
    return &wrong_path->places[predictor_place(start, WRONG_PATH_PLACES)];
}

/* Stores a branch (trace.h) as the first after the address that followed the branch before it. `next`: the address
 * behind it; `follower`: the one that follows it. */
static inline void wrong_path_learn(struct sim_core *core, uint64_t word, uint64_t next, uint64_t follower) {
    uint64_t start = core->wrong_path.start;
    core->wrong_path.start = follower;
    /* Skips branches beyond the reach or before the start: a signal or another thread came between. */
    if (next - start - 1 < core->wrong_path_bytes) {
        struct wrong_path_place *place = wrong_path_place(&core->wrong_path, start);
        place->start = start;
        place->next = next;
        place->word = word;
    }
}

/* Counts speculative branches from `start` on; `history`: the speculative history. */
void wrong_path_follow(struct sim_core *core, uint64_t start, uint32_t history);

#endif
