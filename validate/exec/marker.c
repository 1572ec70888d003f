/* marker.c - LIKWID's Marker API without LIKWID: counts regions through perf_event_open(2) or PAPI.
 *
 * Preloaded into a pattern's program (validate/run/counting.h). LIKWID_EVENTS names the file of counters, one a line:
 *     COUNTER EVENT PMU FIELDS CPUS
 * PMU is a folder of /sys/bus/event_source/devices, "hardware" for Linux' general events, or "papi": EVENT is then one
 * of PAPI's presets. FIELDS is "field=value,...", with the fields of PMU/format, a name in PMU/events, or "-". CPUS,
 * "0,18", are the CPUs whose threads count the event for all, as a box serves a socket; "*" means that each thread
 * counts its own. The file out.csv gets the counts in the form of `likwid-perfctr -m -o`. A counter that does not count
 * has "-" there, and one line on standard error says why: "not counted: COUNTER REASON".
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "marker.h"

enum { REGION_NAME = 128 };

struct region {
    char name[REGION_NAME];
    struct timespec began;
    double seconds;
    long calls;
    uint64_t *start, *count; /* of each counter */
};

struct thread {
    struct thread *next;
    int cpu;
    struct marker_source *source; /* of each counter */
    struct region *region;
    size_t regions;
};

static struct {
    struct marker_counter *counter;
    size_t counters;
    struct thread *first, **last;
    pthread_mutex_t lock;
} all = {.last = &all.first, .lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local struct thread *self;

static void *zeroed(size_t count, size_t size) {
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL)
        abort();
    return memory;
}

static const struct marker_backend *backend_of(const struct marker_counter *counter) {
    return strcmp(counter->pmu, "papi") == 0 ? &marker_papi : &marker_perf;
}

void likwid_markerInit(void) {
    const char *name = getenv("LIKWID_EVENTS");
    FILE *file = name != NULL ? fopen(name, "re") : NULL;
    struct marker_counter one;
    while (file != NULL &&
           fscanf(file, "%63s %127s %63s %127s %255s", one.name, one.event, one.pmu, one.fields, one.cpus) == 5) {
        all.counter = realloc(all.counter, (all.counters + 1) * sizeof one);
        if (all.counter == NULL)
            abort();
        all.counter[all.counters++] = one;
    }
    if (file == NULL || !feof(file))
        fprintf(stderr, "ERROR: LIKWID_EVENTS=%s: not a file of lines COUNTER EVENT PMU FIELDS CPUS\n",
                name != NULL ? name : "");
    if (file != NULL)
        fclose(file);
}

void likwid_markerThreadInit(void) {
}

/* Whether "0,18" names the CPU; "*" names all, "-" none. */
static int names_cpu(const char *list, int cpu) {
    for (char *end; *list != '\0' && *list != '*'; list = *end == ',' ? end + 1 : end) {
        if (strtol(list, &end, 10) == cpu || end == list)
            return end != list;
    }
    return *list == '*';
}

static void open_counters(struct thread *thread) {
    thread->cpu = sched_getcpu();
    thread->source = zeroed(all.counters, sizeof *thread->source);
    for (size_t i = 0; i < all.counters; i++) {
        const struct marker_counter *counter = &all.counter[i];
        struct marker_source *source = &thread->source[i];
        source->by = names_cpu(counter->cpus, thread->cpu) ? backend_of(counter) : NULL;
        if (source->by != NULL)
            source->by->open(counter, source, thread->cpu);
    }
}

static int is_counting(const struct marker_source *source) {
    return source->by != NULL && source->why == NULL;
}

static struct region *find(const char *name) {
    for (size_t i = 0; self != NULL && i < self->regions; i++) {
        if (strcmp(self->region[i].name, name) == 0)
            return &self->region[i];
    }
    return NULL;
}

int likwid_markerRegisterRegion(const char *name) {
    if (self == NULL) {
        self = zeroed(1, sizeof *self);
        pthread_mutex_lock(&all.lock);
        open_counters(self);
        *all.last = self;
        all.last = &self->next;
        pthread_mutex_unlock(&all.lock);
    }
    if (find(name) != NULL)
        return 0;
    self->region = realloc(self->region, (self->regions + 1) * sizeof *self->region);
    if (self->region == NULL)
        abort();
    struct region *region = &self->region[self->regions++];
    *region = (struct region){.start = zeroed(all.counters, sizeof(uint64_t)),
                              .count = zeroed(all.counters, sizeof(uint64_t))};
    snprintf(region->name, sizeof region->name, "%s", name);
    return 0;
}

/* The time is read last at the start and first at the stop: reading the counters does not belong to it. */
int likwid_markerStartRegion(const char *name) {
    struct region *region = find(name);
    if (region == NULL)
        return -1;
    for (size_t i = 0; i < all.counters; i++)
        if (is_counting(&self->source[i]))
            region->start[i] = self->source[i].by->read(&self->source[i]);
    clock_gettime(CLOCK_MONOTONIC, &region->began);
    return 0;
}

int likwid_markerStopRegion(const char *name) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    struct region *region = find(name);
    if (region == NULL)
        return -1;
    for (size_t i = all.counters; i-- > 0;)
        if (is_counting(&self->source[i]))
            region->count[i] += self->source[i].by->read(&self->source[i]) - region->start[i];
    region->seconds +=
        (double)(now.tv_sec - region->began.tv_sec) + 1e-9 * (double)(now.tv_nsec - region->began.tv_nsec);
    region->calls++;
    return 0;
}

/* Reads the calling thread's counters, for the cost of a reading. */
int perfmon_readCountersCpu(int cpu) {
    for (size_t i = 0; i < all.counters; i++)
        if (is_counting(&self->source[i]))
            self->source[i].by->read(&self->source[i]);
    return cpu == self->cpu ? 0 : -1;
}

/* ---- results ---- */

static void write_cell(FILE *file, const struct thread *thread, size_t region, size_t counter) {
    if (!is_counting(&thread->source[counter]))
        fputs(",-", file);
    else
        fprintf(file, ",%llu", (unsigned long long)thread->region[region].count[counter]);
}

/* All threads have registered the same regions. */
static void write_region(FILE *file, size_t region) {
    fprintf(file, "TABLE,Region %s,Group 1 Raw,ASSAY\nRegion Info", all.first->region[region].name);
    for (const struct thread *thread = all.first; thread != NULL; thread = thread->next)
        fprintf(file, ",HWThread %d", thread->cpu);
    fputs("\nRDTSC Runtime [s]", file);
    for (const struct thread *thread = all.first; thread != NULL; thread = thread->next)
        fprintf(file, ",%.9f", thread->region[region].seconds);
    fputs("\ncall count", file);
    for (const struct thread *thread = all.first; thread != NULL; thread = thread->next)
        fprintf(file, ",%ld", thread->region[region].calls);
    fputs("\nEvent,Counter", file);
    for (const struct thread *thread = all.first; thread != NULL; thread = thread->next)
        fprintf(file, ",HWThread %d", thread->cpu);
    for (size_t i = 0; i < all.counters; i++) {
        fprintf(file, "\n%s,%s", all.counter[i].event, all.counter[i].name);
        for (const struct thread *thread = all.first; thread != NULL; thread = thread->next)
            write_cell(file, thread, region, i);
    }
    fputc('\n', file);
}

static void explain(size_t counter) {
    for (const struct thread *thread = all.first; thread != NULL; thread = thread->next) {
        if (thread->source[counter].why != NULL) {
            fprintf(stderr, "not counted: %s %s\n", all.counter[counter].name, thread->source[counter].why);
            return;
        }
    }
}

void likwid_markerClose(void) {
    FILE *file = fopen("out.csv", "we");
    for (size_t i = 0; i < all.counters; i++)
        explain(i);
    for (size_t i = 0; file != NULL && all.first != NULL && i < all.first->regions; i++)
        write_region(file, i);
    if (file == NULL || fclose(file) != 0)
        perror("ERROR: out.csv");
}
