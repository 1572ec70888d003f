/* check.c - compares a kernel file's header with its code. SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/kernel/check.h"

/* The body's value, as a fraction so that "per element" stays exact. */
struct found {
    enum ptt_key key;
    unsigned long amount, per;
};

static int check_value(const struct ptt *ptt, const struct found *found, struct error *error) {
    const struct ptt_value *header = &ptt->value[found->key];
    if (header->line == 0 || header->number * found->per == found->amount)
        return 0;
    return error_set(error, "%s:%u: header says %s %u, the body does %g; correct the header", ptt->path, header->line,
                     ptt_key_name(found->key), header->number, (double)found->amount / (double)found->per);
}

static int check_streams(const struct ptt *ptt, const struct kernel_counts *counts, struct error *error) {
    unsigned used = 0, unused = 0;
    for (unsigned i = 0; i < counts->streams; i++) {
        if (counts->stream[i].loads + counts->stream[i].stores + counts->stream[i].stores_nt > 0)
            used++;
        else
            unused = i;
    }
    int registers_only = used == 0 && counts->streams == 1;
    if (used == counts->streams || registers_only)
        return 0;
    return error_set(error, "%s:%u: header says STREAMS %u, the body does not touch STR%u; correct the header",
                     ptt->path, ptt->value[PTT_STREAMS].line, counts->streams, unused);
}

int kernel_check(const struct ptt *ptt, const struct kernel_counts *counts, struct error *error) {
    unsigned long loaded = 0, stored = 0, load_stored = 0;
    for (unsigned i = 0; i < counts->streams; i++) {
        loaded += counts->stream[i].volume_loaded;
        stored += counts->stream[i].volume_stored;
        load_stored += counts->stream[i].volume_load_stored;
    }
    unsigned long elements = counts->elements, bytes = elements * counts->element_bytes;
    const struct kernel_part *pass = &counts->pass;
    const struct found found[] = {
        {PTT_FLOPS, pass->flops, elements},
        {PTT_BYTES, loaded + stored, elements},
        {PTT_LOADS, loaded, bytes},
        {PTT_STORES, stored, bytes},
        {PTT_LOADSTORES, load_stored, bytes},
        {PTT_BRANCHES, pass->branches, 1},
        {PTT_INSTR_CONST, counts->constant.instructions - counts->constant.padding, 1},
        {PTT_INSTR_LOOP, pass->instructions - pass->padding, 1},
        {PTT_UOPS, pass->uops - pass->padding, 1},
    };
    if (check_streams(ptt, counts, error) != 0)
        return -1;
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
        if (check_value(ptt, &found[i], error) != 0)
            return -1;
    }
    return 0;
}
