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

enum { EXIT_FAILED = 1 };

struct request {
    const char *name;
    int cpu[CPUS_MAX];
    size_t cpus;
    struct program_point *points;
    size_t count;
};

void *program_allocate(size_t bytes, struct error *error) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        error_set(error, "no %zu MiB: %s; give smaller points", bytes >> 20, strerror(errno));
        return NULL;
    }
    return memory;
}

void program_free(void *memory, size_t bytes) {
    if (memory != NULL)
        munmap(memory, bytes);
}

/* Between the two meetings only the first thread runs. */
static void alone(const struct member *member, struct program_point *point, int setup) {
    struct error error;
    crew_meet(member->crew);
    if (member->number == 0) {
        if (setup && pattern_program.setup != NULL && pattern_program.setup(point, &error) != 0)
            crew_fail(member, &error);
        else if (!setup && pattern_program.release != NULL)
            pattern_program.release(point);
    }
    crew_meet(member->crew);
}

/* Do the point and the one before it have the same data? */
static int goes_on(const struct request *request, size_t number) {
    if (number == 0 || number == request->count || pattern_program.lasting == 0)
        return 0;
    const struct program_point *point = &request->points[number], *before = point - 1;
    return point->code == before->code &&
           memcmp(point->parameter, before->parameter, pattern_program.lasting * sizeof *point->parameter) == 0;
}

static void warm_up(const struct program_point *point, size_t thread) {
    if (pattern_program.repeat != NULL)
        pattern_program.repeat(point, thread, 1);
    else if (pattern_program.warm_up != NULL)
        pattern_program.warm_up(point, thread);
}

static void work(const struct program_point *point, size_t thread) {
    if (pattern_program.repeat != NULL)
        pattern_program.repeat(point, thread, point->parameter[pattern_program.parameters - 1]);
    else
        pattern_program.work(point, thread);
}

static void prepare(struct member *member, struct program_point *point) {
    alone(member, point, 1);
    if (member->crew->failed)
        return;
    if (pattern_program.first_touch != NULL)
        pattern_program.first_touch(point, member->number);
    crew_meet(member->crew);
    warm_up(point, member->number);
}

static void run_point(struct member *member, size_t number) {
    struct request *request = member->crew->context;
    struct program_point *point = &request->points[number];
    if (!goes_on(request, number))
        prepare(member, point);
    else if (member->number == 0)
        point->data = request->points[number - 1].data; /* the others see it when all have met in crew_open() */
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

static int parse_code(const char *word, size_t *code, struct error *error) {
    for (*code = 0; pattern_program.codes[*code] != NULL; ++*code) {
        if (strcmp(pattern_program.codes[*code], word) == 0)
            return 0;
    }
    return error_set(error, "code '%s' is not known; see --help", word);
}

static int parse_points(struct request *request, int count, char *const words[], struct error *error) {
    int each = 2 + (int)pattern_program.parameters;
    if (count == 0 || count % each != 0)
        return error_set(error, "%d words after the options; give REGION CODE and %zu numbers for each point", count,
                         pattern_program.parameters);
    request->points = calloc((size_t)(count / each), sizeof *request->points);
    if (request->points == NULL)
        return error_set(error, "no memory for %d points; give fewer", count / each);
    for (; request->count < (size_t)(count / each); request->count++, words += each) {
        struct program_point *point = &request->points[request->count];
        point->region = words[0];
        if (parse_code(words[1], &point->code, error) != 0)
            return -1;
        for (size_t i = 0; i < pattern_program.parameters; i++) {
            const char *at = words[2 + i];
            unsigned long value;
            if (parse_whole(&at, 1ul << 40, &value) != 0 || *at != '\0' || value == 0)
                return error_set(error, "%s: '%s'; give a whole number from 1 on", words[0], words[2 + i]);
            point->parameter[i] = value;
        }
    }
    return 0;
}

static int parse(struct request *request, int argc, char *argv[], struct error *error) {
    if (argc < 3 || strcmp(argv[1], "-c") != 0)
        return error_set(error, "no CPUs; give -c LIST, see --help");
    if (cpus_parse(argv[2], request->cpu, &request->cpus, error) != 0)
        return -1;
    if (request->cpus != pattern_program.threads)
        return error_set(error, "-c %s: %zu CPUs; it runs on %zu", argv[2], request->cpus, pattern_program.threads);
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
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* without likwid-perfctr there is nothing to measure for */
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        printf("Usage: %s -c CPU,... [REGION CODE PARAMETER...]...\n%s", request.name, pattern_program.usage);
    } else if (parse(&request, argc, argv, &error) != 0) {
        fprintf(stderr, "%s: %s\n", request.name, error.text);
        status = EXIT_USAGE;
    } else if (run(&request, &error) != 0) {
        fprintf(stderr, "%s: %s\n", request.name, error.text);
        status = EXIT_FAILED;
    }
    free(request.points);
    return status;
}
