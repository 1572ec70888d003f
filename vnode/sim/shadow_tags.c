/* shadow_tags.c - a directory with an entry for every line that the cores hold.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "shadow_tags.h"

void shadow_tags_init(struct directory *directory, size_t entries) {
    for (size_t i = 0; i + 1 < entries; i++)
        directory->next[i] = (uint32_t)i + 2;
    directory->next[entries - 1] = 0;
    directory->free = 1;
}

/* Fibonacci hashing spreads neighbours. */
static uint32_t *head_of(const struct directory *directory, uint64_t line) {
    return &directory->heads[line * UINT64_C(0x9e3779b97f4a7c15) >> (64 - directory->hash_bits)];
}

int64_t shadow_tags_find(const struct directory *directory, uint64_t line) {
    uint32_t number = *head_of(directory, line);
    while (number && directory->lines[number - 1] != line + 1)
        number = directory->next[number - 1];
    return (int64_t)number - 1;
}

size_t shadow_tags_take(struct directory *directory, uint64_t line) {
    uint32_t number = directory->free, *head = head_of(directory, line);
    directory->free = directory->next[number - 1];
    directory->next[number - 1] = *head;
    *head = number;
    return number - 1;
}

void shadow_tags_release(struct directory *directory, uint64_t line, size_t entry) {
    uint32_t number = (uint32_t)entry + 1, *link = head_of(directory, line);
    while (*link != number)
        link = &directory->next[*link - 1];
    *link = directory->next[entry];
    directory->next[entry] = directory->free;
    directory->free = number;
}
