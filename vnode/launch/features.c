/* features.c - the instruction sets of the node's processor.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "features.h"

#include <cpuid.h>

enum { ANY, HOST };

static const struct feature {
    enum identity_word word;
    unsigned bit;
    const char *name;
    int needs;
} features[] = {
#define FEATURE(word, bit, name, needs) {word, bit, name, needs},
#include "features.def"
#undef FEATURE
};
enum { FEATURES = sizeof features / sizeof *features };

/* An invariant clock, performance monitoring (leaf 0xA) and topology (leaf 0xB); rep_good, nopl and cpuid go with any
 * Intel processor of 64 bits. */
static const char from_linux[] = " constant_tsc arch_perfmon rep_good nopl xtopology nonstop_tsc cpuid";

static void read_host(uint32_t words[IDENTITY_WORDS]) {
    unsigned a, b, c, d;
    for (int i = 0; i < IDENTITY_WORDS; i++)
        words[i] = 0;
    if (__get_cpuid(1, &a, &b, &c, &d)) {
        words[IDENTITY_1_ECX] = c;
        words[IDENTITY_1_EDX] = d;
    }
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d))
        words[IDENTITY_7_EBX] = b;
    if (__get_cpuid(0x80000001, &a, &b, &c, &d)) {
        words[IDENTITY_EXTENDED_1_ECX] = c;
        words[IDENTITY_EXTENDED_1_EDX] = d;
    }
}

void features_of_node(uint32_t words[IDENTITY_WORDS]) {
    uint32_t host[IDENTITY_WORDS];
    read_host(host);
    for (int i = 0; i < IDENTITY_WORDS; i++)
        words[i] = 0;
    for (int i = 0; i < FEATURES; i++) {
        uint32_t bit = UINT32_C(1) << features[i].bit;
        if (features[i].needs == ANY || (host[features[i].word] & bit))
            words[features[i].word] |= bit;
    }
}

void features_write(const uint32_t words[IDENTITY_WORDS], FILE *file) {
    for (int i = 0; i < FEATURES; i++)
        if (*features[i].name && words[features[i].word] >> features[i].bit & 1)
            fprintf(file, " %s", features[i].name);
    fputs(from_linux, file);
}
