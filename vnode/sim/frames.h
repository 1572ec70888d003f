/* frames.h - physical frames of pages.
 *
 * L1 is indexed and tagged by the program's addresses (its sets lie within a page). Everything beyond it knows physical
 * lines only: L2, last level, directory, memory, and snoops. Without random frames both numbers are the same. With
 * them, a frame's number is a permutation of the page's number, chosen by a seed: two rounds of a multiplication and a
 * shift, each of which can be undone. So no table is needed, and two pages never share a frame. A large page has
 * scattered frames as well: only the TLBs know that it is large.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_FRAMES_H
#define ASSAY_SIM_FRAMES_H

#include "hardware.h"

/* Odd numbers, and their inverses modulo 2^64. */
#define FRAMES_FIRST UINT64_C(0x9e3779b97f4a7c15)
#define FRAMES_SECOND UINT64_C(0xbf58476d1ce4e5b9)
#define FRAMES_FIRST_INVERSE UINT64_C(0xf1de83e19937733d)
#define FRAMES_SECOND_INVERSE UINT64_C(0x96de1b173f119089)

/* At least half of the bits of a page number, so that frames_shifted() is its own inverse. */
enum { FRAMES_SHIFT = 18 };

static inline uint64_t frames_shifted(uint64_t number) {
    return number ^ number >> FRAMES_SHIFT;
}

/* Spreads the seed: small ones would only swap neighbours. */
static inline uint64_t frames_key(uint64_t seed, uint64_t mask) {
    return frames_shifted(seed * FRAMES_SECOND & mask);
}

static inline uint64_t frames_permute(uint64_t page, uint64_t seed, uint64_t mask) {
    uint64_t mixed = frames_shifted((page ^ frames_key(seed, mask)) * FRAMES_FIRST & mask);
    return frames_shifted(mixed * FRAMES_SECOND & mask);
}

static inline uint64_t frames_undo(uint64_t frame, uint64_t seed, uint64_t mask) {
    uint64_t mixed = frames_shifted(frame) * FRAMES_SECOND_INVERSE & mask;
    return (frames_shifted(mixed) * FRAMES_FIRST_INVERSE & mask) ^ frames_key(seed, mask);
}

/* The physical number of a program's line. */
static inline uint64_t frames_line(const struct sim *sim, uint64_t line) {
    uint32_t shift = sim->page_shift - sim->line_shift;
    if (!sim->config.frames_seed)
        return line;
    uint64_t frame = frames_permute(line >> shift, sim->config.frames_seed, ADDRESS_MASK >> sim->page_shift);
    return frame << shift | (line & ((UINT64_C(1) << shift) - 1));
}

/* The program's number of a physical line. */
static inline uint64_t frames_program_line(const struct sim *sim, uint64_t line) {
    uint32_t shift = sim->page_shift - sim->line_shift;
    if (!sim->config.frames_seed)
        return line;
    uint64_t page = frames_undo(line >> shift, sim->config.frames_seed, ADDRESS_MASK >> sim->page_shift);
    return page << shift | (line & ((UINT64_C(1) << shift) - 1));
}

#endif
