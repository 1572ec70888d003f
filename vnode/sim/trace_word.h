/* trace_word.h - the words of a trace (trace.h).
 *
 * From the lowest bit on, a word has an enum trace_kind, what belongs to it, and from TRACE_ADDRESS on an address.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_TRACE_WORD_H
#define ASSAY_SIM_TRACE_WORD_H

#include "types.h"

enum trace_kind {
    TRACE_LOAD = 0,  /* plain access of at most TRACE_ACCESS_MAX bytes. From TRACE_LAST on: offset of its last byte */
    TRACE_STORE = 3, /* the same */
    TRACE_FETCH = 4, /* consecutive instructions. From TRACE_BYTES on: their number of bytes */
    TRACE_OTHER = 5, /* From TRACE_WHAT on: an enum trace_other */
    TRACE_BLOCK = 6, /* see struct trace_block */
    TRACE_UPDATE = 7 /* as for a load: a load and then a store of the same bytes */
};

/* Values below TRACE_BRANCHES are branches, by enum sim_branch_kind: the address is the target. From TRACE_LENGTH on:
 * the branch's number of bytes; TRACE_TAKEN: 1 if it is a conditional one that was taken. It ends where the last
 * fetched instructions end. */
enum { TRACE_BRANCHES = 8, TRACE_WHAT_MASK = 31 };
enum trace_other {
    TRACE_BEHIND = TRACE_BRANCHES, /* ... or at this address, if the next word is a branch */
    TRACE_INSTRUCTION,             /* see sim_at() */
    TRACE_ROUNDS,                  /* see trace_rounds() */
    TRACE_LOAD_LOCKED,             /* as a load; with a fence before it */
    TRACE_STORE_NT,                /* as a store */
    TRACE_FENCE,
    TRACE_FLUSH,    /* of the address's line */
    TRACE_PIPELINE, /* address: a struct pipeline_run */
    TRACE_NOTHING,
    TRACE_END /* of the trace */
};

enum { TRACE_BYTES = 3, TRACE_WHAT = 3, TRACE_LENGTH = 8, TRACE_LAST = 10, TRACE_TAKEN = 15, TRACE_ADDRESS = 16 };
enum { TRACE_ACCESS_MAX = 64, TRACE_FETCH_MAX = (1 << (TRACE_ADDRESS - TRACE_BYTES)) - 1 };

static inline uint64_t trace_address(uint64_t word) {
    return word >> TRACE_ADDRESS;
}

/* Offset of an access's last byte. */
static inline uint32_t trace_last(uint64_t word) {
    return word >> TRACE_LAST & (TRACE_ACCESS_MAX - 1);
}

/* Where a run of instructions ends. */
static inline uint64_t trace_end_of_run(uint64_t word) {
    return trace_address(word) + (word >> TRACE_BYTES & TRACE_FETCH_MAX);
}

/* 1: a conditional branch that was taken. */
static inline uint32_t trace_taken(uint64_t word) {
    return word >> TRACE_TAKEN & 1;
}

/* Words without their address. */
static inline uint64_t trace_access(enum trace_kind kind, uint64_t size) {
    return kind | (size - 1) << TRACE_LAST;
}

static inline uint64_t trace_fetch(uint64_t bytes) {
    return TRACE_FETCH | bytes << TRACE_BYTES;
}

static inline uint64_t trace_other(uint32_t what) {
    return TRACE_OTHER | (uint64_t)what << TRACE_WHAT;
}

static inline uint64_t trace_branch(enum sim_branch_kind kind, uint64_t bytes) {
    return trace_other(kind) | bytes << TRACE_LENGTH;
}

static inline uint64_t trace_word(uint64_t address, uint64_t rest) {
    return address << TRACE_ADDRESS | rest;
}

/* Plain accesses of one kind and size beside each other, in ascending or descending order. The word has the lowest
 * address, and from TRACE_LAST on the offset of the last byte of all. So it takes at most TRACE_ACCESS_MAX bytes. */
struct trace_block {
    enum trace_kind kind; /* TRACE_LOAD or TRACE_STORE */
    uint32_t size;        /* of each; a power of two, at most half of TRACE_ACCESS_MAX */
    uint32_t count;
    uint32_t down; /* 1: the first one is the highest */
};

enum { TRACE_STORED = 3, TRACE_DOWN = 4, TRACE_SIZE = 5, TRACE_SIZE_MASK = TRACE_ACCESS_MAX / 2 - 1 };

static inline uint64_t trace_of_block(struct trace_block block) {
    return trace_access(TRACE_BLOCK, (uint64_t)block.size * block.count) |
           (uint64_t)(block.kind == TRACE_STORE) << TRACE_STORED | (uint64_t)block.down << TRACE_DOWN |
           (uint64_t)(block.size - 1) << TRACE_SIZE;
}

static inline struct trace_block trace_block(uint64_t word) {
    uint32_t size = (word >> TRACE_SIZE & TRACE_SIZE_MASK) + 1, bytes = trace_last(word) + 1;
    return (struct trace_block){.kind = word >> TRACE_STORED & 1 ? TRACE_STORE : TRACE_LOAD,
                                .size = size,
                                .count = bytes >> __builtin_ctz(size),
                                .down = word >> TRACE_DOWN & 1};
}

/* A block's access as a word; number: from 0 on. */
static inline uint64_t trace_of_block_access(uint64_t word, uint32_t number) {
    struct trace_block block = trace_block(word);
    uint32_t from_lowest = block.down ? block.count - 1 - number : number;
    return trace_word(trace_address(word) + (uint64_t)from_lowest * block.size, trace_access(block.kind, block.size));
}

/* Both accesses of an update as words. */
static inline uint64_t trace_load_of_update(uint64_t word) {
    return word - TRACE_UPDATE + TRACE_LOAD;
}

static inline uint64_t trace_store_of_update(uint64_t word) {
    return word - TRACE_UPDATE + TRACE_STORE;
}

/* An unrolled loop accesses its streams in steps smaller than a line, in a fixed order: a0 b0 c0, a0+d b0+d c0+d, and
 * so on. The next `width` words, plain accesses, are its first round; there are `length` accesses, and rounds are
 * `step` bytes apart. The last round may be incomplete. */
enum { TRACE_WIDTH_MAX = 4, TRACE_LENGTH_MAX = 63 };

struct trace_rounds {
    uint32_t width, length, step;
};

/* The number of whole rounds is in the word, too: who reads it need not divide. */
static inline uint64_t trace_of_rounds(struct trace_rounds rounds) {
    uint64_t all = rounds.width | (uint64_t)rounds.length << 8 | (uint64_t)rounds.step << 16;
    return trace_other(TRACE_ROUNDS) | (all | (uint64_t)(rounds.length / rounds.width) << 24) << TRACE_ADDRESS;
}

static inline struct trace_rounds trace_rounds(uint64_t word) {
    uint32_t all = (uint32_t)trace_address(word);
    return (struct trace_rounds){all & 255, all >> 8 & 255, all >> 16 & 255};
}

static inline uint32_t trace_whole_rounds(uint64_t word) {
    return word >> (TRACE_ADDRESS + 24) & 255;
}

static inline uint32_t trace_what(uint64_t word) {
    return word >> TRACE_WHAT & TRACE_WHAT_MASK;
}

/* A branch of any kind. */
static inline int trace_is_branch(uint64_t word) {
    const uint64_t others = TRACE_WHAT_MASK & ~(TRACE_BRANCHES - 1); /* bits of what is no branch */
    return (word & (7 | others << TRACE_WHAT)) == TRACE_OTHER;
}

static inline uint64_t trace_branch_address(uint64_t word, uint64_t next) {
    return next - (word >> TRACE_LENGTH & 15);
}

#endif
