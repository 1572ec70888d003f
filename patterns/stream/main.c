/* main.c - the program `stream`: many points of streaming kernels as regions of one process.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "patterns/program/cpus.h"
#include "patterns/stream/team.h"

static const char usage[] =
    "Usage: stream -c CPU[,CPU|-CPU...] [OPTION...] [REGION KERNEL ELEMENTS SWEEPS]...\n"
    "Runs assembled kernels, each in a Marker API region of its own, on one pinned thread per CPU.\n"
    "  -c, --cpus LIST      hardware threads, in order: 0,2 or 0-3\n"
    "  -f, --file FILE      points, one a line: REGION KERNEL ELEMENTS SWEEPS\n"
    "  -e, --empty REGION   a region without a kernel: what starting and stopping costs\n"
    "  -r, --reads REGION=TIMES  a region in which the counters are read TIMES times\n"
    "  -s, --stagger BYTES  free space between two streams, in whole cache lines of 64 bytes (0)\n"
    "  -h, --help           this text\n"
    "ELEMENTS counts per stream and thread, SWEEPS over all of them inside the region.\n"
    "Prints a line per point. Exit status: 0 done, 1 a run failed, 2 bad usage or input.\n";

enum { LINE_BYTES = 64, EXIT_FAILED = 1 };

struct request {
    int cpu[CPUS_MAX];
    size_t cpus;
    size_t stagger;
    struct points points;
};

static int parse_stagger(struct request *request, const char *text, struct error *error) {
    const char *at = text;
    unsigned long bytes;
    if (parse_whole(&at, 1ul << 30, &bytes) != 0 || *at != '\0' || bytes % LINE_BYTES != 0)
        return error_set(error, "--stagger '%s'; give a multiple of %d of at most 1 GiB", text, LINE_BYTES);
    request->stagger = bytes;
    return 0;
}

static int parse_positional(struct request *request, int count, char *const words[], struct error *error) {
    if (count % 4 != 0)
        return error_set(error, "%d words after the options; give REGION KERNEL ELEMENTS SWEEPS for each point", count);
    for (int i = 0; i < count; i += 4) {
        if (points_add(&request->points, words + i, words[i], error) != 0)
            return -1;
    }
    if (request->points.count == 0)
        return error_set(error, "no points; give REGION KERNEL ELEMENTS SWEEPS, --file, --empty or --reads");
    if (request->cpus == 0)
        return error_set(error, "no CPUs; give --cpus LIST");
    return 0;
}

/* 0: run it; 1: help was asked for; -1: error. */
static int parse(struct request *request, int argc, char *argv[], struct error *error) {
    static const struct option options[] = {{"cpus", required_argument, NULL, 'c'},
                                            {"file", required_argument, NULL, 'f'},
                                            {"empty", required_argument, NULL, 'e'},
                                            {"reads", required_argument, NULL, 'r'},
                                            {"stagger", required_argument, NULL, 's'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    int option, result = 0;
    opterr = 0;
    while (result == 0 && (option = getopt_long(argc, argv, "+:c:f:e:r:s:h", options, NULL)) != -1) {
        switch (option) {
        case 'c':
            result = cpus_parse(optarg, request->cpu, &request->cpus, error);
            break;
        case 'f':
            result = points_read(&request->points, optarg, error);
            break;
        case 'e':
            result = points_add_empty(&request->points, optarg, error);
            break;
        case 'r':
            result = points_add_reads(&request->points, optarg, error);
            break;
        case 's':
            result = parse_stagger(request, optarg, error);
            break;
        case 'h':
            return 1;
        default:
            result = error_set(error, "%s '%s'; see stream --help", option == ':' ? "no value for" : "unknown option",
                               argv[optind - 1]);
        }
    }
    return result != 0 ? result : parse_positional(request, argc - optind, argv + optind, error);
}

static void print_points(const struct request *request) {
    for (size_t i = 0; i < request->points.count; i++) {
        const struct point *point = &request->points.point[i];
        size_t per_sweep = 0, streams = 0;
        if (point->object != NULL) {
            per_sweep = point->elements * point->object->bytes * request->cpus;
            streams = point->object->streams * point_stream_bytes(point) * request->cpus;
        }
        printf("%s threads %zu elements %zu sweeps %zu bytes_per_sweep %zu stream_bytes %zu\n", point->region,
               request->cpus, point->elements, point->sweeps, per_sweep, streams);
    }
}

int main(int argc, char *argv[]) {
    struct request *request = calloc(1, sizeof *request);
    struct error error;
    int status = EXIT_USAGE;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* end with likwid-perfctr */
    if (request == NULL) {
        fputs("stream: no memory to start; free some\n", stderr);
        return EXIT_FAILED;
    }
    int parsed = parse(request, argc, argv, &error);
    if (parsed > 0) {
        fputs(usage, stdout);
        status = EXIT_DONE;
    } else if (parsed < 0) {
        fprintf(stderr, "stream: %s\n", error.text);
    } else {
        const struct team team = {request->cpu, request->cpus, &request->points, request->stagger};
        if (team_run(&team, &error) == 0) {
            print_points(request);
            status = EXIT_DONE;
        } else {
            fprintf(stderr, "stream: %s\n", error.text);
            status = EXIT_FAILED;
        }
    }
    if (fflush(stdout) != 0 && status == EXIT_DONE) {
        fprintf(stderr, "stream: standard output: %s; make room for it\n", strerror(errno));
        status = EXIT_FAILED;
    }
    points_free(&request->points);
    free(request);
    return status;
}
