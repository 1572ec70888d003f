/* team.c - runs points on pinned threads, each in its Marker API region. SPDX-License-Identifier: GPL-3.0-or-later */
#include "patterns/stream/team.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <likwid-marker.h>

#include "patterns/program/busy.h"
#include "patterns/program/cpus.h"

struct shared {
    const struct team *team;
    pthread_barrier_t barrier;
    pthread_mutex_t gate; /* held until it is known whether all threads exist */
    int cancelled;        /* not all do; guarded by the gate */
    atomic_int failed;    /* threads that could not be pinned */
    int measuring;        /* likwid-perfctr waits for our regions */
    double busy;          /* seconds of processor time in regions; kept by the first thread */
};

struct worker {
    struct shared *shared;
    int cpu;
    char *block; /* as large as the largest point needs; the same for every point, so that two runs are alike */
    size_t block_bytes;
    pthread_t thread;
    int status; /* 0, or -1 and the reason */
    struct error error;
};

static void meet(struct shared *shared) {
    pthread_barrier_wait(&shared->barrier);
}

/* A barrier of one would only add instructions to the region. */
static void meet_inside(struct shared *shared) {
    if (shared->team->threads > 1)
        meet(shared);
}

static void fail(struct worker *worker, const struct error *error) {
    if (worker->status == 0)
        worker->error = *error;
    worker->status = -1;
}

static void pin(struct worker *worker) {
    struct error error;
    if (cpu_pin(worker->cpu, &error) != 0)
        fail(worker, &error);
}

/* Ones, so that no kernel ever meets a denormal number. */
static void fill(const struct kernel_object *object, void *stream, size_t elements) {
    for (size_t i = 0; i < elements; i++) {
        switch ((enum kernel_type)object->type) {
        case KERNEL_DOUBLE:
            ((double *)stream)[i] = 1.0;
            break;
        case KERNEL_SINGLE:
            ((float *)stream)[i] = 1.0f;
            break;
        case KERNEL_INT:
            ((int32_t *)stream)[i] = 1;
            break;
        }
    }
}

static struct kernel_call prepare(const struct worker *worker, const struct point *point) {
    struct kernel_call call = {.elements = point->elements, .sweeps = 1};
    if (point->object == NULL)
        return call;
    for (uint32_t i = 0; i < point->object->streams; i++) {
        call.stream[i] = worker->block + i * (point_stream_bytes(point) + worker->shared->team->stagger);
        fill(point->object, call.stream[i], point->elements);
    }
    point->run(&call);
    call.sweeps = point->sweeps;
    return call;
}

static void refuse(struct worker *worker, const struct point *point, const char *what, int status) {
    struct error error;
    if (status == 0 || !worker->shared->measuring)
        return;
    error_set(&error, "region %s on CPU %d: LIKWID does not %s it (%d); see its messages above", point->region,
              worker->cpu, what, status);
    fail(worker, &error);
}

static void run_point(struct worker *worker, const struct point *point) {
    struct shared *shared = worker->shared;
    struct kernel_call call = prepare(worker, point);
    int is_first = worker->cpu == shared->team->cpu[0];
    double before = is_first ? busy_now() : 0;
    meet(shared);
    int started = LIKWID_MARKER_START(point->region);
    meet_inside(shared);
    if (point->run != NULL)
        point->run(&call);
    meet_inside(shared);
    int stopped = LIKWID_MARKER_STOP(point->region);
    if (is_first)
        shared->busy += busy_now() - before;
    refuse(worker, point, "start", started);
    refuse(worker, point, "stop", stopped);
    meet(shared);
}

static void *work(void *argument) {
    struct worker *worker = argument;
    struct shared *shared = worker->shared;
    pthread_mutex_lock(&shared->gate);
    int cancelled = shared->cancelled;
    pthread_mutex_unlock(&shared->gate);
    if (cancelled)
        return NULL;
    LIKWID_MARKER_THREADINIT;
    pin(worker); /* after LIKWID, which pins threads in the order of their arrival */
    if (worker->status != 0)
        atomic_fetch_add(&shared->failed, 1);
    meet(shared);
    if (atomic_load(&shared->failed) > 0)
        return NULL;
    for (size_t i = 0; i < shared->team->points->count; i++)
        refuse(worker, &shared->team->points->point[i], "register",
               LIKWID_MARKER_REGISTER(shared->team->points->point[i].region));
    for (size_t i = 0; i < shared->team->points->count; i++)
        run_point(worker, &shared->team->points->point[i]);
    return NULL;
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

static int allocate(struct worker *workers, const struct team *team, struct error *error) {
    size_t bytes = largest_block(team);
    /* Linux hands out more than there is and kills later: ask before. */
    size_t pages = (size_t)sysconf(_SC_PHYS_PAGES), page = (size_t)sysconf(_SC_PAGESIZE);
    if (bytes / page >= pages / team->threads)
        return error_set(error, "%zu threads need %zu MiB each, the machine has %zu MiB; give smaller points",
                         team->threads, bytes >> 20, pages * (page >> 10) >> 10);
    for (size_t i = 0; i < team->threads; i++) {
        void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED)
            return error_set(error, "no %zu MiB for thread %zu: %s; give smaller points", bytes >> 20, i,
                             strerror(errno));
        workers[i].block = block;
        workers[i].block_bytes = bytes;
    }
    return 0;
}

/* Runs the calling thread as the first worker and waits for the others. */
static int run_workers(struct shared *shared, struct worker *workers, struct error *error) {
    size_t threads = shared->team->threads, created = 1;
    int failed = 0;
    pthread_mutex_lock(&shared->gate);
    while (created < threads && failed == 0) {
        failed = pthread_create(&workers[created].thread, NULL, work, &workers[created]);
        created += failed == 0;
    }
    shared->cancelled = failed != 0;
    pthread_mutex_unlock(&shared->gate);
    work(&workers[0]);
    for (size_t i = 1; i < created; i++)
        pthread_join(workers[i].thread, NULL);
    if (failed != 0)
        return error_set(error, "cannot create thread %zu: %s; use fewer CPUs", created, strerror(failed));
    for (size_t i = 0; i < threads; i++) {
        if (workers[i].status != 0) {
            *error = workers[i].error;
            return -1;
        }
    }
    return 0;
}

int team_run(const struct team *team, struct error *error) {
    struct shared shared = {.team = team, .gate = PTHREAD_MUTEX_INITIALIZER};
    shared.measuring = getenv("LIKWID_EVENTS") != NULL;
    struct worker *workers = calloc(team->threads, sizeof *workers);
    if (workers == NULL || pthread_barrier_init(&shared.barrier, NULL, (unsigned)team->threads) != 0) {
        free(workers);
        return error_set(error, "no memory for %zu threads; use fewer CPUs", team->threads);
    }
    for (size_t i = 0; i < team->threads; i++)
        workers[i] = (struct worker){.shared = &shared, .cpu = team->cpu[i]};
    int result = allocate(workers, team, error);
    if (result == 0) {
        if (shared.measuring)
            LIKWID_MARKER_INIT;
        result = run_workers(&shared, workers, error);
        if (shared.measuring)
            LIKWID_MARKER_CLOSE;
    }
    for (size_t i = 0; i < team->threads; i++) {
        if (workers[i].block != NULL)
            munmap(workers[i].block, workers[i].block_bytes);
    }
    pthread_barrier_destroy(&shared.barrier);
    free(workers);
    if (shared.measuring)
        busy_print(shared.busy);
    return result;
}
