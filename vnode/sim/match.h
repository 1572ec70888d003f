/* match.h - compares several 32-bit words at a time. SSE2 is part of x86-64, the only host of the virtual node.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_MATCH_H
#define ASSAY_SIM_MATCH_H

#include <stdint.h>

typedef uint32_t match_words __attribute__((vector_size(16)));
typedef int32_t match_signed __attribute__((vector_size(16)));
typedef int16_t match_halves __attribute__((vector_size(16)));
typedef float match_lanes __attribute__((vector_size(16)));

/* All bits of a lane are set if its word is `wanted`. `words`, here and below: aligned to 16 bytes. */
static inline match_words match_lanes4(const uint32_t *words, uint32_t wanted) {
    const match_words *four = (const match_words *)(const void *)words;
    return (match_words)(*four == (match_words){wanted, wanted, wanted, wanted});
}

/* A bit for each of the 4 words that is `wanted`. */
static inline uint32_t match4(const uint32_t *words, uint32_t wanted) {
    return (uint32_t)__builtin_ia32_movmskps((match_lanes)match_lanes4(words, wanted));
}

/* A bit for each of the 16 words that is `wanted`. */
static inline uint32_t match16(const uint32_t *words, uint32_t wanted) {
    match_halves front = __builtin_ia32_packssdw128((match_signed)match_lanes4(words, wanted),
                                                    (match_signed)match_lanes4(words + 4, wanted));
    match_halves back = __builtin_ia32_packssdw128((match_signed)match_lanes4(words + 8, wanted),
                                                   (match_signed)match_lanes4(words + 12, wanted));
    return (uint32_t)__builtin_ia32_pmovmskb128(__builtin_ia32_packsswb128(front, back));
}

#endif
