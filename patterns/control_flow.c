/* control_flow.c - sums up all cells of a mesh that are not void: in random order, or sorted by material.
 *
 * A cell has one of MATERIALS materials, all equally probable, and material 0 is void: the branch over a void cell is
 * taken with probability 1 / MATERIALS. The sorted code has the same cells, those of a material side by side. Each
 * cell is visited once, so no predictor can learn the sequence.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdlib.h>

#include "patterns/program/program.h"

enum { RANDOM, SORTED };
enum { CELLS, MATERIALS }; /* parameters */
enum { MATERIALS_MAX = 64 };

static const char *const codes[] = {"random", "sorted", NULL};

struct cell {
    float energy;
    uint32_t material;
};

struct mesh {
    struct cell *cells;
    float energy; /* of all that are not void */
};

static size_t bytes_of(const struct program_point *point) {
    return point->parameter[CELLS] * sizeof(struct cell);
}

static int setup(struct program_point *point, struct error *error) {
    if (point->parameter[MATERIALS] > MATERIALS_MAX)
        return error_set(error, "%s: %zu materials; give at most %d", point->region, point->parameter[MATERIALS],
                         MATERIALS_MAX);
    struct mesh *mesh = calloc(1, sizeof *mesh);
    if (mesh == NULL)
        return error_set(error, "no memory for a mesh; free some");
    mesh->cells = program_allocate(bytes_of(point), error);
    if (mesh->cells == NULL) {
        free(mesh);
        return -1;
    }
    point->data = mesh;
    return 0;
}

/* Next number of Knuth's linear congruential generator MMIX; only its upper bits are random. The model draws the same
 * numbers. */
static uint32_t draw(uint64_t *state, size_t materials) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % materials);
}

/* Sorted cells of a material are all the same, so their number is enough. */
static void fill_sorted(struct cell *cell, size_t cells, size_t materials) {
    size_t count[MATERIALS_MAX] = {0};
    uint64_t state = 0;
    for (size_t i = 0; i < cells; i++)
        count[draw(&state, materials)]++;
    for (size_t material = 0; material < materials; material++) {
        for (size_t i = 0; i < count[material]; i++)
            *cell++ = (struct cell){.energy = 1, .material = (uint32_t)material};
    }
}

static void fill_random(struct cell *cell, size_t cells, size_t materials) {
    uint64_t state = 0;
    for (size_t i = 0; i < cells; i++)
        cell[i] = (struct cell){.energy = 1, .material = draw(&state, materials)};
}

static void first_touch(const struct program_point *point, size_t thread) {
    const struct mesh *mesh = point->data;
    (void)thread;
    (point->code == SORTED ? fill_sorted : fill_random)(mesh->cells, point->parameter[CELLS],
                                                        point->parameter[MATERIALS]);
}

/* One loop, one pass per cell, with one jump that void cells take. The instructions are counted in the machine code
 * (validate/kernel/function.h). It is assembly because compilers would use a conditional move instead of the jump. */
__attribute__((noinline)) static float sum_filled(const struct cell *cell, const struct cell *end) {
    float sum = 0;
    do {
        __asm__("cmpl $0, %[material]\n\t"
                "je 1f\n\t"
                "addss %[energy], %[sum]\n"
                "1:"
                : [sum] "+x"(sum)
                : [material] "m"(cell->material), [energy] "m"(cell->energy)
                : "cc");
        cell++;
    } while (cell != end);
    return sum;
}

static void work(const struct program_point *point, size_t thread) {
    struct mesh *mesh = point->data;
    (void)thread;
    mesh->energy = sum_filled(mesh->cells, mesh->cells + point->parameter[CELLS]);
}

static void release(struct program_point *point) {
    struct mesh *mesh = point->data;
    program_free(mesh->cells, bytes_of(point));
    free(mesh);
}

const struct pattern_program pattern_program = {
    .usage = "Energy of all cells that are not void, one of MATERIALS: REGION random|sorted CELLS MATERIALS\n",
    .codes = codes,
    .parameters = 2,
    .threads = 1,
    .setup = setup,
    .first_touch = first_touch,
    .work = work,
    .release = release,
};
