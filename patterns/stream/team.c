/* team.c - runs points on pinned threads, each in its Marker API region. SPDX-License-Identifier: GPL-3.0-or-later */
#include "patterns/stream/team.h"

#include <errno.h>
#include <immintrin.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <likwid-marker.h>
#include <likwid.h>

#include "patterns/program/crew.h"
#include "patterns/program/pages.h"

struct blocks {
    const struct team *team;
    size_t bytes; /* enough for the largest point, and the same for every point, so that all runs have the same
                     addresses */
    char **each;  /* one block per thread */
};

/* For a single thread a barrier would only add instructions to the region. */
static void meet_inside(struct crew *crew) {
    if (crew->threads > 1)
        crew_meet(crew);
}

/* All ones, so that no kernel calculates with denormal numbers. Fills all streams at once, as the kernel sweeps over
 * them. If they were filled one after the other, the caches would keep the last one, and its modified lines would be
 * written back in the region. Streams are whole lines; wide stores take the virtual node a fraction of the time. */
__attribute__((target("avx"))) static void fill_streams(const struct point *point, const struct kernel_call *call) {
    enum { TOGETHER = 512 };
    const enum kernel_type type = point->object->type;
    const __m256i ones = type == KERNEL_DOUBLE   ? _mm256_castpd_si256(_mm256_set1_pd(1.0))
                         : type == KERNEL_SINGLE ? _mm256_castps_si256(_mm256_set1_ps(1.0f))
                                                 : _mm256_set1_epi32(1);
    size_t bytes = point_stream_bytes(point);
    for (size_t begin = 0; begin < bytes; begin += TOGETHER) {
        size_t end = begin + TOGETHER < bytes ? begin + TOGETHER : bytes;
        for (uint32_t i = 0; i < point->object->streams; i++) {
            for (size_t at = begin; at < end; at += sizeof ones)
                _mm256_store_si256((__m256i *)(void *)((char *)call->stream[i] + at), ones);
        }
    }
}

/* Does the point use the data of the one before it? */
static int goes_on(const struct points *points, size_t number) {
    if (number == 0)
        return 0;
    const struct point *before = &points->point[number - 1], *point = before + 1;
    return point->object == before->object && point->elements == before->elements;
}

static struct kernel_call prepare(const struct blocks *blocks, size_t thread, size_t number) {
    const struct point *point = &blocks->team->points->point[number];
    struct kernel_call call = {.elements = point->elements, .sweeps = 1};
    if (point->object == NULL)
        return call;
    int warm = goes_on(blocks->team->points, number);
    for (uint32_t i = 0; i < point->object->streams; i++)
        call.stream[i] = blocks->each[thread] + i * (point_stream_bytes(point) + blocks->team->stagger);
    if (!warm) {
        fill_streams(point, &call);
        point->run(&call);
    }
    call.sweeps = point->sweeps;
    return call;
}

/* Reads the counters as the Marker API does at the start and stop of a region. It computes differences, so that further
 * reads do no harm. */
static void read_counters(const struct member *member, size_t times) {
    for (size_t i = 0; i < times && member->crew->measuring; i++)
        perfmon_readCountersCpu(member->crew->cpu[member->number]);
}

static void run_point(struct member *member, size_t number) {
    const struct blocks *blocks = member->crew->context;
    const struct point *point = &blocks->team->points->point[number];
    struct kernel_call call = prepare(blocks, member->number, number);
    read_counters(member, point->reads > 0); /* resolves the symbol before the region starts */
    crew_open(member);
    int started = LIKWID_MARKER_START(point->region);
    meet_inside(member->crew);
    if (point->run != NULL)
        point->run(&call);
    read_counters(member, point->reads);
    meet_inside(member->crew);
    int stopped = LIKWID_MARKER_STOP(point->region);
    crew_close(member, point->region, started, stopped);
}

static const char *region_of(const void *context, size_t number) {
    return ((const struct blocks *)context)->team->points->point[number].region;
}

static size_t largest_block(const struct team *team) {
    size_t largest = 1;
    for (size_t i = 0; i < team->points->count; i++) {
        size_t bytes = point_block_bytes(&team->points->point[i], team->stagger);
        if (bytes > largest)
            largest = bytes;
    }
    return largest;
}

static int allocate(struct blocks *blocks, struct error *error) {
    size_t bytes = blocks->bytes, threads = blocks->team->threads;
    /* Linux overcommits memory and kills the process later: check first. */
    size_t pages = (size_t)sysconf(_SC_PHYS_PAGES), page = (size_t)sysconf(_SC_PAGESIZE);
    if (bytes / page >= pages / threads)
        return error_set(error, "%zu threads need %zu MiB each, the machine has %zu MiB; give smaller points", threads,
                         bytes >> 20, pages * (page >> 10) >> 10);
    for (size_t i = 0; i < threads; i++) {
        blocks->each[i] = pages_map(bytes);
        if (blocks->each[i] == NULL)
            return error_set(error, "no %zu MiB for thread %zu: %s; give smaller points", bytes >> 20, i,
                             strerror(errno));
    }
    return 0;
}

int team_run(const struct team *team, struct error *error) {
    struct blocks blocks = {team, largest_block(team), calloc(team->threads, sizeof *blocks.each)};
    struct crew crew = {.cpu = team->cpu,
                        .threads = team->threads,
                        .points = team->points->count,
                        .region = region_of,
                        .run = run_point,
                        .context = &blocks};
    if (blocks.each == NULL)
        return error_set(error, "no memory for %zu threads; use fewer CPUs", team->threads);
    int result = allocate(&blocks, error) == 0 ? crew_run(&crew, error) : -1;
    for (size_t i = 0; i < team->threads && blocks.each[i] != NULL; i++)
        pages_unmap(blocks.each[i], blocks.bytes);
    free(blocks.each);
    return result;
}
