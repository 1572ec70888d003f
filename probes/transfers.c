/* transfers.c - one core loads, or stores to, lines that another core has modified, has unchanged or has dropped, or
 * that are only in its socket's memory.
 *
 * The cores take turns. The other core, a thread outside of all regions, prepares the lines of PAGES pages. Then the
 * first core loads each line once, or stores to it. For each pass the lines are modified again, or new lines are used,
 * so that the first core never has one already. A page's first line is not used: writing it decides on which socket the
 * page lies.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <immintrin.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "patterns/program/cpus.h"
#include "patterns/program/program.h"

enum { PAGES, MATE, TIMES }; /* parameters; MATE: the other core's number + 1 */
enum { LINE = PROGRAM_LINE_BYTES, PAGE = 4096, LOADED = PAGE / LINE - 1 };
enum { SWEPT = 2 << 20 }; /* bytes, twice the largest L2: loading them evicts everything else */
enum kind { MODIFIED, CLEAN, DROPPED, FAR };

typedef void walk(char *from, size_t stride, intptr_t to_next, const char *end, size_t accesses, size_t column);
walk walk_loads, walk_stores;

static const char *const codes[] = {
    "transfers_modified",     "transfers_clean",         "transfers_dropped",   "transfers_modified_across",
    "transfers_clean_across", "transfers_memory_across", "takes_modified",      "takes_clean",
    "takes_modified_across",  "takes_clean_across",      "takes_memory_across", NULL};
static const struct {
    walk *walk;
    enum kind kind;
} works[] = {{walk_loads, MODIFIED},  {walk_loads, CLEAN},  {walk_loads, DROPPED},   {walk_loads, MODIFIED},
             {walk_loads, CLEAN},     {walk_loads, FAR},    {walk_stores, MODIFIED}, {walk_stores, CLEAN},
             {walk_stores, MODIFIED}, {walk_stores, CLEAN}, {walk_stores, FAR}};

struct mates {
    sem_t go, done;
    pthread_t thread;
    char *memory, *next;  /* `next`: lines of the next pass */
    size_t bytes, a_time; /* bytes in all; bytes per pass */
    char *swept;          /* SWEPT bytes, loaded to evict the other core's lines; NULL if none are to be evicted */
    enum kind kind;
    int cpu, is_over;
    struct error *error; /* setup()'s argument until the other core is ready; then NULL */
};

/* Flushes the page from all caches: the kernel may have left lines there when it cleared the page. */
static void forget(const char *page) {
    for (size_t line = 0; line <= LOADED; line++)
        _mm_clflush(page + line * LINE);
    _mm_mfence();
}

static void sweep(const struct mates *mates) {
    for (size_t line = 0; line < SWEPT; line += LINE)
        (void)*(volatile char *)(mates->swept + line);
}

static void prepare(const struct mates *mates) {
    for (char *page = mates->next; page < mates->next + mates->a_time; page += PAGE) {
        if (mates->kind == CLEAN || mates->kind == DROPPED)
            forget(page);
        for (size_t line = 1; mates->kind != FAR && line <= LOADED; line++) {
            volatile char *place = page + line * LINE;
            if (mates->kind == MODIFIED)
                *place = 1;
            else
                (void)*place;
        }
    }
    if (mates->kind == DROPPED)
        sweep(mates);
}

/* Writes to each page first, which places it. */
static void take(const struct mates *mates) {
    for (char *page = mates->memory; page < mates->memory + mates->bytes; page += PAGE) {
        *page = 1;
        if (mates->kind == FAR)
            forget(page);
    }
}

static void *keep_company(void *argument) {
    struct mates *mates = argument;
    if (cpu_pin(mates->cpu, mates->error) == 0)
        mates->error = NULL;
    if (mates->kind == FAR)
        take(mates);
    if (mates->kind == DROPPED)
        memset(mates->swept, 1, SWEPT);
    do {
        sem_post(&mates->done);
        sem_wait(&mates->go);
        if (!mates->is_over)
            prepare(mates);
    } while (!mates->is_over);
    return NULL;
}

static void leave(struct mates *mates) {
    program_free(mates->memory, mates->bytes);
    program_free(mates->swept, SWEPT);
    free(mates);
}

static void release(struct program_point *point) {
    struct mates *mates = point->data;
    mates->is_over = 1;
    sem_post(&mates->go);
    pthread_join(mates->thread, NULL);
    leave(mates);
}

static int setup(struct program_point *point, struct error *error) {
    struct mates *mates = calloc(1, sizeof *mates);
    if (mates == NULL)
        return error_set(error, "no memory for transfers; free some");
    mates->kind = works[point->code].kind;
    mates->a_time = point->parameter[PAGES] * PAGE;
    mates->bytes = mates->kind == MODIFIED ? mates->a_time : mates->a_time * (point->parameter[TIMES] + 1);
    mates->cpu = (int)point->parameter[MATE] - 1;
    mates->error = error;
    mates->memory = mates->next = program_allocate(mates->bytes, error);
    int is_there = mates->memory != NULL;
    if (is_there && mates->kind == DROPPED)
        is_there = (mates->swept = program_allocate(SWEPT, error)) != NULL;
    sem_init(&mates->go, 0, 0);
    sem_init(&mates->done, 0, 0);
    if (!is_there || pthread_create(&mates->thread, NULL, keep_company, mates) != 0) {
        leave(mates);
        return error_set(error, "no memory or no thread for transfers; free some");
    }
    point->data = mates;
    sem_wait(&mates->done);
    if (mates->error == NULL)
        return 0;
    release(point);
    return -1;
}

static void first_touch(const struct program_point *point, size_t thread) {
    const struct mates *mates = point->data;
    (void)thread;
    if (mates->kind != FAR)
        take(mates);
}

static void repeat(const struct program_point *point, size_t thread, size_t times) {
    struct mates *mates = point->data;
    (void)thread;
    for (size_t time = 0; time < times; time++) {
        sem_post(&mates->go);
        sem_wait(&mates->done);
        works[point->code].walk(mates->next + LINE, PAGE, LINE - (intptr_t)mates->a_time,
                                mates->next + LINE + mates->a_time, point->parameter[PAGES] * LOADED, LINE);
        mates->next += mates->kind == MODIFIED ? 0 : mates->a_time;
    }
}

const struct pattern_program probe_transfers = {
    .usage = "Loads of lines of PAGES pages that CPU MATE - 1 has, or stores to them, TIMES times:\n"
             "REGION transfers_modified|transfers_clean|transfers_dropped|transfers_modified_across|\n"
             "  transfers_clean_across|transfers_memory_across|takes_modified|takes_clean|\n"
             "  takes_modified_across|takes_clean_across|takes_memory_across PAGES MATE TIMES\n",
    .codes = codes,
    .parameters = 3,
    .threads = 1,
    .setup = setup,
    .first_touch = first_touch,
    .repeat = repeat,
    .release = release,
};
