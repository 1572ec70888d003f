/* blocks.c - repeated loads of all lines of a buffer, always from its start, or each time from LATER lines further on,
 * so that the lines used last are left for last. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdlib.h>

#include "patterns/program/program.h"

enum { LINES, LATER, TIMES }; /* parameters; LATER: lines by which each pass begins later than the one before */
enum { LINE = PROGRAM_LINE_BYTES };

typedef void walk(char *from, size_t stride, intptr_t to_next, const char *end, size_t accesses, size_t column);
walk walk_loads;

enum { IN_TURN, LEFT };

static const char *const codes[] = {"blocks_in_turn", "blocks_left", NULL};

struct buffer {
    char *memory;
    size_t bytes, from; /* where the next time begins */
};

static int setup(struct program_point *point, struct error *error) {
    struct buffer *buffer = calloc(1, sizeof *buffer);
    if (buffer == NULL)
        return error_set(error, "no memory for blocks; free some");
    buffer->bytes = point->parameter[LINES] * LINE;
    buffer->memory = program_allocate(buffer->bytes, error);
    point->data = buffer;
    if (buffer->memory != NULL)
        return 0;
    free(buffer);
    return -1;
}

static void first_touch(const struct program_point *point, size_t thread) {
    const struct buffer *buffer = point->data;
    (void)thread;
    for (size_t at = 0; at < buffer->bytes; at += LINE)
        buffer->memory[at] = 0;
}

static void repeat(const struct program_point *point, size_t thread, size_t times) {
    struct buffer *buffer = point->data;
    (void)thread;
    for (size_t time = 0; time < times; time++) {
        walk_loads(buffer->memory + buffer->from, LINE, -(intptr_t)buffer->bytes, buffer->memory + buffer->bytes,
                   point->parameter[LINES], 0);
        if (point->code == LEFT)
            buffer->from += point->parameter[LATER] * LINE;
        while (buffer->from >= buffer->bytes) /* no division: events count them */
            buffer->from -= buffer->bytes;
    }
}

static void release(struct program_point *point) {
    struct buffer *buffer = point->data;
    program_free(buffer->memory, buffer->bytes);
    free(buffer);
}

const struct pattern_program probe_blocks = {
    .usage = "LINES lines one after the other, TIMES times, all from the first on, or LATER behind the time before:\n"
             "REGION blocks_in_turn|blocks_left LINES LATER TIMES\n",
    .codes = codes,
    .parameters = 3,
    .lasting = 2,
    .threads = 1,
    .setup = setup,
    .first_touch = first_touch,
    .repeat = repeat,
    .release = release,
};
