/* features.c - the instruction sets of the node's processor.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "features.h"

#include <cpuid.h>
#include <string.h>

/* See features.def. */
enum need { ANY, HOST, INTEL, AMD };

static const struct feature {
    enum identity_word word;
    unsigned bit;
    const char *name;
    enum need needs;
} features[] = {
#define FEATURE(word, bit, name, needs) {word, bit, name, needs},
#include "features.def"
#undef FEATURE
};
enum { FEATURES = sizeof features / sizeof *features };

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

static int is_there(enum need needs, uint32_t vendor, int on_host) {
    switch (needs) {
    case HOST:
        return on_host;
    case INTEL:
        return vendor == IDENTITY_INTEL;
    case AMD:
        return vendor == IDENTITY_AMD;
    default:
        return 1;
    }
}

void features_of_node(const struct node_desc *desc, uint32_t words[IDENTITY_WORDS]) {
    uint32_t host[IDENTITY_WORDS];
    read_host(host);
    for (int i = 0; i < IDENTITY_WORDS; i++)
        words[i] = 0;
    for (int i = 0; i < FEATURES; i++) {
        const struct feature *feature = &features[i];
        uint32_t bit = UINT32_C(1) << feature->bit;
        if (is_there(feature->needs, desc->vendor, (host[feature->word] & bit) != 0))
            words[feature->word] |= bit & ~desc->without[feature->word];
    }
}

int features_add(const char *name, uint32_t words[IDENTITY_WORDS]) {
    for (int i = 0; i < FEATURES; i++)
        if (*name && strcmp(features[i].name, name) == 0) {
            words[features[i].word] |= UINT32_C(1) << features[i].bit;
            return 0;
        }
    return -1;
}

/* Linux adds performance monitoring (leaf 0xA), topology (leaf 0xB) and an invariant clock; rep_good, nopl and cpuid
 * for any 64-bit processor, the extended APIC id for any of AMD's. */
void features_write(const struct node_desc *desc, const uint32_t words[IDENTITY_WORDS], FILE *file) {
    for (int i = 0; i < FEATURES; i++)
        if (*features[i].name && words[features[i].word] >> features[i].bit & 1)
            fprintf(file, " %s", features[i].name);
    fputs(" constant_tsc", file);
    if (desc->perfmon.version)
        fputs(" arch_perfmon", file);
    fputs(" rep_good nopl xtopology nonstop_tsc cpuid", file);
    if (desc->vendor == IDENTITY_AMD)
        fputs(" extd_apicid", file);
    if (desc->perfmon2.core)
        fputs(" perfmon_v2", file);
}
