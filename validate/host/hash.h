/* hash.h - a hash of a text: FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/ */
#ifndef ASSAY_HASH_H
#define ASSAY_HASH_H

#include <stdint.h>

static inline uint64_t hash_text(const char *text) {
    uint64_t value = 0xcbf29ce484222325u;
    for (; *text != '\0'; text++)
        value = (value ^ (unsigned char)*text) * 0x100000001b3u;
    return value;
}

#endif
