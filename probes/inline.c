/* inline.c - code without a loop, of a given length: a row of no-operations, or blocks that begin with a branch over
 * the rest of the block. After each time a walk over data may flush it from the caches. SPDX-License-Identifier:
 * GPL-3.0-or-later */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "patterns/program/program.h"

enum { COUNT, FLUSHED, TIMES }; /* parameters; COUNT: instructions or blocks; FLUSHED: lines of data, 1 for no walk */
enum { LINE = PROGRAM_LINE_BYTES, BLOCK = 2 * LINE };

typedef void walk(char *from, size_t stride, intptr_t to_next, const char *end, size_t accesses, size_t column);
walk walk_loads;
void inline_calls(void *code, int is_true, size_t times);

enum { PLAIN, TRUE_BRANCH, FALSE_BRANCH };

static const char *const codes[] = {"inline_plain", "inline_true", "inline_false", NULL};

static const unsigned char NOP[] = {0x0f, 0x1f, 0x40, 0x00}; /* four bytes */
/* test esi, esi; jz over the rest of the block */
static const unsigned char BRANCH[] = {0x85, 0xf6, 0x74, BLOCK - 4};
enum { RETURN = 0xc3 };

struct text {
    unsigned char *code;
    char *data;
    size_t code_bytes, data_bytes;
};

/* Without the final return. */
static size_t length_of(const struct program_point *point) {
    return point->parameter[COUNT] * (point->code == PLAIN ? sizeof NOP : (size_t)BLOCK);
}

static void release(struct program_point *point) {
    struct text *text = point->data;
    program_free(text->code, text->code_bytes);
    program_free(text->data, text->data_bytes);
    free(text);
}

static int setup(struct program_point *point, struct error *error) {
    struct text *text = calloc(1, sizeof *text);
    if (text == NULL)
        return error_set(error, "no memory for code; free some");
    point->data = text;
    text->code_bytes = length_of(point) + LINE;
    text->data_bytes = point->parameter[FLUSHED] * LINE;
    text->code = program_allocate(text->code_bytes, error);
    text->data = text->code != NULL ? program_allocate(text->data_bytes, error) : NULL;
    if (text->data != NULL)
        return 0;
    release(point);
    return -1;
}

static void first_touch(const struct program_point *point, size_t thread) {
    const struct text *text = point->data;
    size_t length = length_of(point);
    (void)thread;
    for (size_t at = 0; at < length; at += sizeof NOP)
        memcpy(text->code + at, point->code != PLAIN && at % BLOCK == 0 ? BRANCH : NOP, sizeof NOP);
    text->code[length] = RETURN;
    mprotect(text->code, text->code_bytes, PROT_READ | PROT_EXEC);
    for (size_t at = 0; at < text->data_bytes; at += LINE)
        text->data[at] = 0;
}

static void repeat(const struct program_point *point, size_t thread, size_t times) {
    const struct text *text = point->data;
    size_t lines = point->parameter[FLUSHED];
    (void)thread;
    if (lines == 1) {
        inline_calls(text->code, point->code == TRUE_BRANCH, times);
        return;
    }
    for (size_t time = 0; time < times; time++) {
        inline_calls(text->code, point->code == TRUE_BRANCH, 1);
        walk_loads(text->data, LINE, 0, text->data + text->data_bytes, lines, 0);
    }
}

const struct pattern_program probe_inline = {
    .usage =
        "Code of COUNT instructions, or blocks with a branch, and a walk over FLUSHED lines (1: none), TIMES times:\n"
        "REGION inline_plain|inline_true|inline_false COUNT FLUSHED TIMES\n",
    .codes = codes,
    .parameters = 3,
    .lasting = 2,
    .threads = 1,
    .setup = setup,
    .first_touch = first_touch,
    .repeat = repeat,
    .release = release,
};
