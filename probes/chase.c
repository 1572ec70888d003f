/* chase.c - a chain of pointers through all units of a buffer: in the order of addresses, or block after block at
 * random within each. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdlib.h>

#include "patterns/program/program.h"

enum {
    UNITS,
    UNIT,
    BLOCK,
    TIMES
}; /* parameters; UNIT: bytes; BLOCK: units per block; the chain finishes a block before the next */
enum { IN_ORDER, BY_CHANCE };

void chase_pointers(void *from, size_t count);

static const char *const codes[] = {"chase_in_order", "chase_by_chance", NULL};

struct chain {
    char *memory;
    size_t bytes;
};

static int setup(struct program_point *point, struct error *error) {
    struct chain *chain = calloc(1, sizeof *chain);
    if (chain == NULL)
        return error_set(error, "no memory for a chain; free some");
    chain->bytes = point->parameter[UNITS] * point->parameter[UNIT];
    chain->memory = program_allocate(chain->bytes, error);
    point->data = chain;
    if (chain->memory != NULL)
        return 0;
    free(chain);
    return -1;
}

/* A number below `most`, by Knuth's linear congruential generator MMIX. */
static size_t draw(uint64_t *state, size_t most) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((*state >> 33) * most >> 31);
}

/* The order of a block's units: by address, or shuffled (Fisher and Yates). */
static void arrange(size_t *order, size_t first, size_t count, uint64_t *state, size_t code) {
    for (size_t i = 0; i < count; i++) {
        size_t other = code == BY_CHANCE ? draw(state, i + 1) : i;
        order[i] = order[other];
        order[other] = first + i;
    }
}

/* Links the units to a ring that starts at the buffer's first byte. */
static void first_touch(const struct program_point *point, size_t thread) {
    const struct chain *chain = point->data;
    const size_t units = point->parameter[UNITS], unit = point->parameter[UNIT], block = point->parameter[BLOCK];
    size_t *order = malloc((block < units ? block : units) * sizeof *order);
    char *last = chain->memory;
    uint64_t state = 1;
    (void)thread;
    for (size_t first = 1; order != NULL && first < units; first += block) {
        size_t count = units - first < block ? units - first : block;
        arrange(order, first, count, &state, point->code);
        for (size_t i = 0; i < count; i++) {
            char *next = chain->memory + order[i] * unit;
            *(char **)last = next;
            last = next;
        }
    }
    *(char **)last = chain->memory;
    free(order);
}

static void repeat(const struct program_point *point, size_t thread, size_t times) {
    const struct chain *chain = point->data;
    (void)thread;
    chase_pointers(chain->memory, point->parameter[UNITS] * times);
}

static void release(struct program_point *point) {
    struct chain *chain = point->data;
    program_free(chain->memory, chain->bytes);
    free(chain);
}

const struct pattern_program probe_chase = {
    .usage = "Pointers through UNITS units of UNIT bytes, all of a block of BLOCK units before those of the next, "
             "TIMES times:\n"
             "REGION chase_in_order|chase_by_chance UNITS UNIT BLOCK TIMES\n",
    .codes = codes,
    .parameters = 4,
    .lasting = 3,
    .threads = 1,
    .setup = setup,
    .first_touch = first_touch,
    .repeat = repeat,
    .release = release,
};
