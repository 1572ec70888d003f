/* program.c - main() of all programs that show patterns: points, pinned threads, regions.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "patterns/program/program.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include <likwid-marker.h>

#include "patterns/program/cpus.h"
#include "patterns/program/crew.h"
#include "patterns/program/pages.h"

enum { EXIT_FAILED = 1 };

struct request {
    const char *name;
    int cpu[CPUS_MAX];
    size_t cpus;
    struct program_point *points;
    size_t count;
};

void *program_allocate(size_t bytes, struct error *error) {
    void *memory = pages_map(bytes);
    if (memory == NULL)
        error_set(error, "no %zu MiB: %s; give smaller points", bytes >> 20, strerror(errno));
    return memory;
}

void program_free(void *memory, size_t bytes) {
    if (memory != NULL)
        pages_unmap(memory, bytes);
}

/* Between the two barriers only the first thread runs. */
static void alone(const struct member *member, struct program_point *point, int setup) {
    struct error error;
    crew_meet(member->crew);
    if (member->number == 0) {
        if (setup && point->program->setup != NULL && point->program->setup(point, &error) != 0)
            crew_fail(member, &error);
        else if (!setup && point->program->release != NULL)
            point->program->release(point);
    }
    crew_meet(member->crew);
}

/* Do the point and the one before it have the same data? */
static int goes_on(const struct request *request, size_t number) {
    if (number == 0 || number == request->count || request->points[number].program->lasting == 0)
        return 0;
    const struct program_point *point = &request->points[number], *before = point - 1;
    return point->program == before->program && point->code == before->code &&
           memcmp(point->parameter, before->parameter, point->program->lasting * sizeof *point->parameter) == 0;
}

static void warm_up(const struct program_point *point, size_t thread) {
    if (point->program->repeat != NULL)
        point->program->repeat(point, thread, 1);
    else if (point->program->warm_up != NULL)
        point->program->warm_up(point, thread);
}

static void work(const struct program_point *point, size_t thread) {
    if (point->program->repeat != NULL)
        point->program->repeat(point, thread, point->parameter[point->program->parameters - 1]);
    else
        point->program->work(point, thread);
}

static void prepare(struct member *member, struct program_point *point) {
    alone(member, point, 1);
    if (member->crew->failed)
        return;
    if (point->program->first_touch != NULL)
        point->program->first_touch(point, member->number);
    crew_meet(member->crew);
    warm_up(point, member->number);
}

static void run_point(struct member *member, size_t number) {
    struct request *request = member->crew->context;
    struct program_point *point = &request->points[number];
    if (!goes_on(request, number))
        prepare(member, point);
    else if (member->number == 0)
        point->data = request->points[number - 1].data; /* the other threads read it after the barrier in crew_open() */
    if (member->crew->failed)
        return;
    crew_open(member);
    int started = LIKWID_MARKER_START(point->region);
    work(point, member->number);
    int stopped = LIKWID_MARKER_STOP(point->region);
    crew_close(member, point->region, started, stopped);
    if (!goes_on(request, number + 1))
        alone(member, point, 0);
}

static const char *region_of(const void *context, size_t number) {
    return ((const struct request *)context)->points[number].region;
}

/* Finds the code with this name, and its program. */
static int parse_code(const char *word, struct program_point *point, struct error *error) {
    for (size_t i = 0; pattern_programs[i] != NULL; i++) {
        point->program = pattern_programs[i];
        for (point->code = 0; point->program->codes[point->code] != NULL; point->code++) {
            if (strcmp(point->program->codes[point->code], word) == 0)
                return 0;
        }
    }
    return error_set(error, "code '%s' is not known; see --help", word);
}

/* Reads a point, without its region, from the first of `count` words. Returns the number of words used, or -1 with the
 * reason. */
static int parse_point(struct program_point *point, int count, char *const words[], size_t cpus, struct error *error) {
    if (count < 2)
        return error_set(error, "%s: no code; give REGION CODE and the code's numbers for each point", words[0]);
    if (parse_code(words[1], point, error) != 0)
        return -1;
    int taken = 2 + (int)point->program->parameters;
    if (count < taken)
        return error_set(error, "%s: %d numbers; code '%s' takes %zu", words[0], count - 2, words[1],
                         point->program->parameters);
    if (cpus != point->program->threads)
        return error_set(error, "%s: %zu CPUs; code '%s' runs on %zu", words[0], cpus, words[1],
                         point->program->threads);
    for (int i = 2; i < taken; i++) {
        const char *at = words[i];
        unsigned long value;
        if (parse_whole(&at, 1ul << 40, &value) != 0 || *at != '\0' || value == 0)
            return error_set(error, "%s: '%s'; give a whole number from 1 on", words[0], words[i]);
        point->parameter[i - 2] = value;
    }
    return taken;
}

static int add_points(struct request *request, const struct program_point *point, const char *region,
                      struct error *error) {
    const char *star = strchr(region, '*'), *at = star + 1;
    unsigned long repetitions = 1;
    if (star != NULL &&
        (parse_whole(&at, PROGRAM_REPETITIONS_MAX, &repetitions) != 0 || *at != '\0' || repetitions == 0))
        return error_set(error, "%s: give REGION*N with a number from 1 to %d", region, PROGRAM_REPETITIONS_MAX);
    struct program_point *points = realloc(request->points, (request->count + repetitions) * sizeof *points);
    if (points == NULL)
        return error_set(error, "no memory for %lu points; give fewer", repetitions);
    request->points = points;
    for (unsigned long i = 1; i <= repetitions; i++) {
        char *name = NULL;
        if ((star == NULL ? asprintf(&name, "%s", region)
                          : asprintf(&name, "%.*s.%lu", (int)(star - region), region, i)) < 0)
            return error_set(error, "no memory for %lu points; give fewer", repetitions);
        points[request->count] = *point;
        points[request->count++].region = name;
    }
    return 0;
}

static int parse_points(struct request *request, int count, char *const words[], struct error *error) {
    if (count == 0)
        return error_set(error, "no points; give REGION CODE and the code's numbers for each");
    for (int taken; count > 0; count -= taken, words += taken) {
        struct program_point point = {0};
        taken = parse_point(&point, count, words, request->cpus, error);
        if (taken < 0 || add_points(request, &point, words[0], error) != 0)
            return -1;
    }
    return 0;
}

static int parse(struct request *request, int argc, char *argv[], struct error *error) {
    if (argc < 3 || strcmp(argv[1], "-c") != 0)
        return error_set(error, "no CPUs; give -c LIST, see --help");
    if (cpus_parse(argv[2], request->cpu, &request->cpus, error) != 0)
        return -1;
    return parse_points(request, argc - 3, argv + 3, error);
}

static int run(struct request *request, struct error *error) {
    struct crew crew = {.cpu = request->cpu,
                        .threads = request->cpus,
                        .points = request->count,
                        .region = region_of,
                        .run = run_point,
                        .context = request};
    return crew_run(&crew, error);
}

int main(int argc, char *argv[]) {
    struct request request = {.name = strrchr(argv[0], '/') != NULL ? strrchr(argv[0], '/') + 1 : argv[0]};
    struct error error;
    int status = EXIT_DONE;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* end with likwid-perfctr */
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        printf("Usage: %s -c CPU,... [REGION[*N] CODE PARAMETER...]...\n", request.name);
        for (size_t i = 0; pattern_programs[i] != NULL; i++)
            fputs(pattern_programs[i]->usage, stdout);
    } else if (parse(&request, argc, argv, &error) != 0) {
        fprintf(stderr, "%s: %s\n", request.name, error.text);
        status = EXIT_USAGE;
    } else if (run(&request, &error) != 0) {
        fprintf(stderr, "%s: %s\n", request.name, error.text);
        status = EXIT_FAILED;
    }
    for (size_t i = 0; i < request.count; i++)
        free(request.points[i].region);
    free(request.points);
    return status;
}
