/* program.c - main() of all programs that show patterns: points, pinned threads, regions.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "patterns/program/program.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include <likwid-marker.h>

#include "patterns/program/busy.h"
#include "patterns/program/cpus.h"

enum { EXIT_FAILED = 1 };

struct request {
    const char *name;
    int cpu[CPUS_MAX];
    size_t cpus;
    struct program_point *points;
    size_t count;
};

struct shared {
    struct request *request;
    pthread_barrier_t barrier;
    int measuring; /* likwid-perfctr waits for our regions */
    int failed;    /* written by the first thread between two meetings */
    struct error error;
    pthread_mutex_t lock; /* of failed and error */
    double busy;          /* seconds of processor time in regions; kept by the first thread */
};

struct worker {
    struct shared *shared;
    size_t number;
    pthread_t thread;
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

static void fail(struct shared *shared, const struct error *error) {
    pthread_mutex_lock(&shared->lock);
    if (!shared->failed)
        shared->error = *error;
    shared->failed = 1;
    pthread_mutex_unlock(&shared->lock);
}

static void refuse(struct shared *shared, const struct program_point *point, const char *what, int status) {
    struct error error;
    if (status == 0 || !shared->measuring)
        return;
    error_set(&error, "region %s: LIKWID does not %s it (%d); see its messages above", point->region, what, status);
    fail(shared, &error);
}

static void meet(struct shared *shared) {
    pthread_barrier_wait(&shared->barrier);
}

/* Between the two meetings only the first thread runs. */
static void alone(struct worker *worker, struct program_point *point, int setup) {
    struct error error;
    meet(worker->shared);
    if (worker->number == 0) {
        if (setup && pattern_program.setup != NULL && pattern_program.setup(point, &error) != 0)
            fail(worker->shared, &error);
        else if (!setup && pattern_program.release != NULL)
            pattern_program.release(point);
    }
    meet(worker->shared);
}

static void run_point(struct worker *worker, struct program_point *point) {
    struct shared *shared = worker->shared;
    alone(worker, point, 1);
    if (shared->failed)
        return;
    if (pattern_program.first_touch != NULL)
        pattern_program.first_touch(point, worker->number);
    if (pattern_program.warm_up != NULL) {
        meet(shared);
        pattern_program.warm_up(point, worker->number);
    }
    double before = worker->number == 0 ? busy_now() : 0;
    meet(shared);
    int started = LIKWID_MARKER_START(point->region);
    pattern_program.work(point, worker->number);
    int stopped = LIKWID_MARKER_STOP(point->region);
    if (worker->number == 0)
        shared->busy += busy_now() - before;
    refuse(shared, point, "start", started);
    refuse(shared, point, "stop", stopped);
    alone(worker, point, 0);
}

static void *work(void *argument) {
    struct worker *worker = argument;
    struct shared *shared = worker->shared;
    struct request *request = shared->request;
    struct error error;
    LIKWID_MARKER_THREADINIT;
    if (cpu_pin(request->cpu[worker->number], &error) != 0) /* after LIKWID, which pins in the order of arrival */
        fail(shared, &error);
    for (size_t i = 0; i < request->count; i++)
        refuse(shared, &request->points[i], "register", LIKWID_MARKER_REGISTER(request->points[i].region));
    meet(shared);
    for (size_t i = 0; i < request->count && !shared->failed; i++)
        run_point(worker, &request->points[i]);
    return NULL;
}

static int run(struct request *request, struct error *error) {
    struct shared shared = {.request = request, .lock = PTHREAD_MUTEX_INITIALIZER};
    struct worker *workers = calloc(request->cpus, sizeof *workers);
    shared.measuring = getenv("LIKWID_EVENTS") != NULL;
    if (workers == NULL || pthread_barrier_init(&shared.barrier, NULL, (unsigned)request->cpus) != 0) {
        free(workers);
        return error_set(error, "no memory for %zu threads; use fewer CPUs", request->cpus);
    }
    if (shared.measuring)
        LIKWID_MARKER_INIT;
    for (size_t i = 0; i < request->cpus; i++) {
        workers[i] = (struct worker){.shared = &shared, .number = i};
        int status = i > 0 ? pthread_create(&workers[i].thread, NULL, work, &workers[i]) : 0;
        if (status != 0) { /* the others wait for it: nothing can be saved */
            fprintf(stderr, "%s: cannot create thread %zu: %s; use fewer CPUs\n", request->name, i, strerror(status));
            exit(EXIT_FAILED);
        }
    }
    work(&workers[0]);
    for (size_t i = 1; i < request->cpus; i++)
        pthread_join(workers[i].thread, NULL);
    if (shared.measuring)
        LIKWID_MARKER_CLOSE;
    pthread_barrier_destroy(&shared.barrier);
    free(workers);
    if (shared.measuring)
        busy_print(shared.busy);
    if (shared.failed)
        *error = shared.error;
    return shared.failed ? -1 : 0;
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
