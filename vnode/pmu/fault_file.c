/* fault_file.c - reads faults from text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "fault_file.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counter.h"
#include "fault_shuffle.h"
#include "noise.h"

enum { WORDS_MAX = 4, LINE_MAX_BYTES = 512 };

struct reader {
    const struct pmu_table *table;
    const struct sim_config *config;
    struct fault_list *list;
    const char *file;
    int row;
    char *word[WORDS_MAX + 1]; /* words of the line */
    int words;
    char *lines; /* end of the normalised text; NULL: not wanted */
    char *error;
    size_t error_size;
};

struct kind {
    const char *word, *numbers; /* one letter per argument: see read_numbers() */
};

/* In the order of enum fault_kind; then another word for swap. */
static const struct kind kinds[] = {
    {"scale", "F"}, {"add", "N"},     {"spike", "FP"},    {"jitter", "F"}, {"stuck", "N"},
    {"swap", "E"},  {"mirror", "M"},  {"unfiltered", ""}, {"sibling", ""}, {"wrap", "B"},
    {"deny", ""},   {"nodevice", ""}, {"alias", "E"},
};
enum { KINDS = sizeof kinds / sizeof *kinds, ALIAS = KINDS - 1 };

static int fail(struct reader *reader, const char *format, ...) {
    va_list arguments;
    int used = snprintf(reader->error, reader->error_size, "%s:%d: ", reader->file, reader->row);
    va_start(arguments, format);
    if (used > 0 && (size_t)used < reader->error_size)
        vsnprintf(reader->error + used, reader->error_size - (size_t)used, format, arguments);
    va_end(arguments);
    return -1;
}

static int read_real(struct reader *reader, const char *text, double most, double *out) {
    char *end;
    *out = strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(*out) && *out >= 0 && *out <= most)
        return 0;
    return fail(reader,
                most == 1 ? "'%s' is no probability; write a number from 0 to 1"
                          : "'%s' is no factor; write a number that is not negative",
                text);
}

static int read_whole(struct reader *reader, const char *text, uint64_t least, uint64_t most, uint64_t *out) {
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 0);
    if (end != text && *end == '\0' && errno == 0 && text[0] >= '0' && text[0] <= '9' && *out >= least && *out <= most)
        return 0;
    return fail(reader, "'%s' is no number that fits here; write a whole one from %llu to %llu", text,
                (unsigned long long)least, (unsigned long long)most);
}

static const struct table_event *event_named(const struct pmu_table *table, const char *name) {
    for (uint32_t i = 0; i < table->events; i++)
        if (strcmp(table->event[i].name, name) == 0)
            return &table->event[i];
    return NULL;
}

static int find_event(const struct pmu_table *table, const char *name, struct selection_id *out) {
    const struct table_event *event = event_named(table, name);
    if (event) {
        memcpy(out->unit, event->unit, sizeof out->unit);
        out->code = event->code;
        out->umask = event->umask;
        return 0;
    }
    for (uint32_t i = 0; i < table->responses; i++)
        if (strcmp(table->response[i].name, name) == 0) {
            *out = (struct selection_id){UNIT_PMC, table->response[i].code, table->response[i].umask};
            return 0;
        }
    return -1;
}

static int is_core_unit(const char *unit) {
    return strcmp(unit, UNIT_PMC) == 0 || strcmp(unit, UNIT_FIXED) == 0;
}

/* The unit of the fault's event, counter or box. */
static const char *unit_of(const struct reader *reader, const struct fault *fault) {
    if (fault->target == FAULT_EVENT)
        return fault->event.unit;
    if (fault->counter.kind < 0)
        return fault->counter.kind == NAME_PMC ? UNIT_PMC : UNIT_FIXED;
    return reader->table->box[fault->counter.kind].unit;
}

/* Bits of the fault's counters; of a socket's boxes, the fewest. */
static uint32_t width_of(const struct reader *reader, const struct fault *fault) {
    uint32_t least = 64;
    if (fault->target != FAULT_SOCKET)
        return table_width(reader->table, unit_of(reader, fault));
    for (uint32_t i = 0; i < reader->table->boxes; i++)
        least = reader->table->box[i].width < least ? reader->table->box[i].width : least;
    return least;
}

/* A socket's name, S0, S1, ... */
static int find_socket(const struct reader *reader, const char *name, uint32_t *out) {
    char own[16];
    for (*out = 0; *out < reader->config->sockets; ++*out) {
        snprintf(own, sizeof own, "S%u", *out);
        if (strcmp(own, name) == 0)
            return 0;
    }
    return -1;
}

static int read_mirrored(struct reader *reader, const char *name, struct fault *fault) {
    struct counter_id box;
    if (fault->target == FAULT_SOCKET && find_socket(reader, name, &fault->other) == 0)
        return 0;
    if (fault->target == FAULT_BOX && box_find(reader->table, reader->config, name, &box) == 0 &&
        box.kind == fault->counter.kind) {
        fault->other = box.instance;
        return 0;
    }
    return fail(reader, "'%s' is not of the same kind as '%s'; mirror takes two boxes of a kind, or two sockets", name,
                reader->word[0]);
}

static int read_other(struct reader *reader, const char *name, struct fault *fault) {
    const struct table_event *other = event_named(reader->table, name);
    if (fault->target == FAULT_SOCKET)
        return fail(reader, "a socket counts in several units; swap events of one unit");
    const char *unit = unit_of(reader, fault);
    if (!other)
        return fail(reader, "'%s' is no event that this node counts; see assay vnode -- likwid-perfctr -e", name);
    if (strcmp(other->unit, unit) != 0 && !(is_core_unit(other->unit) && is_core_unit(unit)))
        return fail(reader, "'%s' is counted in another unit than '%s'; swap events of one unit", name,
                    reader->word[0]);
    fault->other = (uint32_t)(other - reader->table->event);
    return 0;
}

/* Reads the arguments of a kind: F factor, P probability, N count, B bits, E event, M box or socket. */
static int read_numbers(struct reader *reader, const char *numbers, struct fault *fault) {
    uint32_t bits = width_of(reader, fault);
    for (int i = 0; numbers[i]; i++) {
        const char *text = reader->word[2 + i];
        int failed = numbers[i] == 'F'   ? read_real(reader, text, HUGE_VAL, &fault->factor)
                     : numbers[i] == 'P' ? read_real(reader, text, 1, &fault->probability)
                     : numbers[i] == 'N' ? read_whole(reader, text, 0, low_bits(bits), &fault->number)
                     : numbers[i] == 'B' ? read_whole(reader, text, 1, bits, &fault->number)
                     : numbers[i] == 'M' ? read_mirrored(reader, text, fault)
                                         : read_other(reader, text, fault);
        if (failed)
            return -1;
    }
    return 0;
}

static int read_target(struct reader *reader, struct fault *fault) {
    const char *name = reader->word[0], *word = reader->word[1];
    int is_device = fault->kind == FAULT_NO_DEVICE, is_mirror = fault->kind == FAULT_MIRROR;
    if (!is_device && !is_mirror && counter_find(reader->table, reader->config, name, &fault->counter) == 0)
        return 0;
    if (fault->kind == FAULT_DENY)
        return fail(reader, "'%s' is no counter of this node; deny needs one, such as PMC0 or MBOX0C0", name);
    fault->target = FAULT_BOX;
    if (box_find(reader->table, reader->config, name, &fault->counter) == 0)
        return 0;
    if (is_device)
        return fail(reader, "'%s' is no box of this node; nodevice needs one, such as MBOX0", name);
    fault->target = FAULT_SOCKET;
    if (find_socket(reader, name, &fault->socket) == 0)
        return 0;
    if (is_mirror)
        return fail(reader, "'%s' is no box or socket of this node; mirror needs one, such as MBOX0 or S1", name);
    fault->target = FAULT_EVENT;
    if (find_event(reader->table, name, &fault->event) == 0)
        return 0;
    return fail(reader,
                "'%s' is no event or counter that %s can be of on this node; see assay vnode -- likwid-perfctr -e",
                name, word);
}

/* Whether the fault's counters have siblings: they belong to one of a core's two hardware threads. */
static int check_sibling(struct reader *reader, const struct fault *fault) {
    if (fault->target == FAULT_SOCKET || !is_core_unit(unit_of(reader, fault)))
        return fail(reader, "'%s' counts no hardware thread; sibling needs an event or counter of cores",
                    reader->word[0]);
    if (sim_cpus(reader->config) == sim_cores(reader->config))
        return fail(reader, "no core of this node has two hardware threads; sibling needs a node of shape SxCx2");
    return 0;
}

static int read_fault(struct reader *reader) {
    struct fault fault = {.kind = FAULT_SCALE};
    int kind = 0;
    if (reader->words < 2)
        return fail(reader, "'%s' without a kind of fault; write, for example, %s scale 0.6", reader->word[0],
                    reader->word[0]);
    while (kind < KINDS && strcmp(kinds[kind].word, reader->word[1]) != 0)
        kind++;
    if (kind == KINDS)
        return fail(reader,
                    "'%s' is no kind of fault; one of scale, add, spike, jitter, stuck, swap, alias, mirror, "
                    "unfiltered, sibling, wrap, deny, nodevice",
                    reader->word[1]);
    fault.kind = kind == ALIAS ? FAULT_SWAP : (enum fault_kind)kind;
    int wanted = 2 + (int)strlen(kinds[kind].numbers);
    int has_before = kind == FAULT_WRAP && reader->words == wanted + 1;
    if (read_target(reader, &fault) != 0 || (kind == FAULT_SIBLING && check_sibling(reader, &fault) != 0))
        return -1;
    if (reader->words != wanted + has_before)
        return fail(reader, "%s takes %d values, not %d; see FAULTS in the man page of assay", reader->word[1],
                    wanted - 2, reader->words - 2);
    if (read_numbers(reader, kinds[kind].numbers, &fault) != 0)
        return -1;
    uint64_t most = fault.number < 64 ? UINT64_C(1) << fault.number : UINT64_MAX;
    if (has_before && read_whole(reader, reader->word[3], 1, most, &fault.before) != 0)
        return -1;
    if (reader->list->count == FAULTS_MAX)
        return fail(reader, "more than %d faults; leave some out", FAULTS_MAX);
    reader->list->fault[reader->list->count++] = fault;
    return 0;
}

/* Adds the line's words to the normalised text. */
static void keep_line(struct reader *reader) {
    for (int i = 0; reader->lines && i < reader->words; i++) {
        reader->lines = stpcpy(reader->lines, reader->word[i]);
        *reader->lines++ = i + 1 < reader->words ? ' ' : '\n';
        *reader->lines = '\0';
    }
}

/* Lines that apply to the whole node. */
static int read_whole_node(struct reader *reader) {
    if (reader->words == 3 && strcmp(reader->word[1], "noise") == 0) {
        reader->list->noise = noise_of_name(reader->word[2]);
        return reader->list->noise != NOISE_NONE ? 0 : fail(reader, "noise is quiet or busy");
    }
    int is_seed = reader->words == 3 && strcmp(reader->word[1], "seed") == 0;
    uint64_t seed;
    if (!is_seed && (reader->words != 3 || strcmp(reader->word[1], "shuffle") != 0))
        return fail(reader, "'*' is followed by seed or shuffle and a number, or by noise and quiet or busy; name an "
                            "event for a fault");
    if (read_whole(reader, reader->word[2], 0, UINT64_MAX, is_seed ? &reader->list->seed : &seed) != 0)
        return -1;
    if (!is_seed && faults_shuffle(reader->table, seed, reader->list) != 0)
        return fail(reader, "more than %d faults; leave some out", FAULTS_MAX);
    return 0;
}

static int read_line(struct reader *reader) {
    if (reader->words == 0)
        return 0;
    keep_line(reader);
    if (strcmp(reader->word[0], "*") != 0)
        return read_fault(reader);
    return read_whole_node(reader);
}

/* Splits a line into words; -1: more words than any fault has. */
static int split(struct reader *reader, char *line) {
    char *rest = NULL;
    line[strcspn(line, "#")] = '\0';
    reader->words = 0;
    for (char *word = strtok_r(line, " \t\r", &rest); word; word = strtok_r(NULL, " \t\r", &rest)) {
        if (reader->words == WORDS_MAX)
            return fail(reader, "'%s' is one word too many; write one fault per line", word);
        reader->word[reader->words++] = word;
    }
    return 0;
}

const char *faults_parse(const char *text, const char *file, const struct pmu_table *table,
                         const struct sim_config *config, struct fault_list *out, char *lines, char *error,
                         size_t error_size) {
    struct reader reader = {.table = table,
                            .config = config,
                            .list = out,
                            .file = file,
                            .lines = lines,
                            .error = error,
                            .error_size = error_size};
    char line[LINE_MAX_BYTES];
    *out = (struct fault_list){.seed = 1};
    if (lines)
        *lines = '\0';
    while (*text) {
        size_t length = strcspn(text, "\n");
        reader.row++;
        if (length >= sizeof line) {
            fail(&reader, "longer than %d characters; write one fault per line", LINE_MAX_BYTES - 1);
            return error;
        }
        memcpy(line, text, length);
        line[length] = '\0';
        if (split(&reader, line) != 0 || read_line(&reader) != 0)
            return error;
        text += length + (text[length] == '\n');
    }
    return NULL;
}

uint64_t faults_seed(uint64_t seed, const char *run) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ seed; /* FNV-1a */
    for (; *run; run++)
        hash = (hash ^ (unsigned char)*run) * UINT64_C(0x100000001b3);
    return hash;
}
