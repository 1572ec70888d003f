/* frames.h - physical frames of pages.
 *
 * L1 is indexed and tagged by the program's addresses (its sets lie within a page). Everything beyond it knows physical
 * lines only: L2, last level, directory, memory, and snoops. Without random frames both numbers are the same. With
 * them, a frame's number is a permutation of the page's number, chosen by a seed: two rounds of a multiplication and a
 * shift, each of which can be undone. So no table is needed, and two pages never share a frame. A large page has one
 * large frame, whose number is the same permutation of the large page's number, behind all frames of small pages.
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

/* The first line behind the frames of small pages. */
static inline uint64_t frames_large(const struct sim *sim) {
    return (ADDRESS_MASK + 1) >> sim->line_shift;
}

static inline int frames_is_large(const struct sim *sim, uint64_t page) {
    return sim->is_large && sim->is_large(sim->large_context, page >> sim->large_shift);
}

/* Not inline: callers would save registers for it even if frames are not random. */
static __attribute__((noinline, unused)) uint64_t frames_line_random(const struct sim *sim, uint64_t line) {
    uint32_t shift = sim->page_shift - sim->line_shift;
    uint64_t first = frames_is_large(sim, line >> shift) ? frames_large(sim) : 0;
    shift += first ? sim->large_shift : 0;
    uint64_t frame = frames_permute(line >> shift, sim->config.frames_seed, (ADDRESS_MASK >> sim->line_shift) >> shift);
    return first | frame << shift | (line & ((UINT64_C(1) << shift) - 1));
}

/* The physical number of a program's line. */
static inline uint64_t frames_line(const struct sim *sim, uint64_t line) {
    return sim->config.frames_seed ? frames_line_random(sim, line) : line;
}

static __attribute__((noinline, unused)) uint64_t frames_program_line_random(const struct sim *sim, uint64_t line) {
    uint32_t shift = sim->page_shift - sim->line_shift;
    uint64_t first = line & frames_large(sim);
    shift += first ? sim->large_shift : 0;
    uint64_t mask = (ADDRESS_MASK >> sim->line_shift) >> shift;
    uint64_t page = frames_undo((line ^ first) >> shift, sim->config.frames_seed, mask);
    return page << shift | (line & ((UINT64_C(1) << shift) - 1));
}

/* The program's number of a physical line. */
static inline uint64_t frames_program_line(const struct sim *sim, uint64_t line) {
    return sim->config.frames_seed ? frames_program_line_random(sim, line) : line;
}

#endif
