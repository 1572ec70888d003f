/* start.h - arguments, memory, threads and random numbers of the diagnosis programs; for C and C++. */
#ifndef TESTS_DIAGNOSIS_START_H
#define TESTS_DIAGNOSIS_START_H

#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef double doubles __attribute__((vector_size(32)));
typedef int64_t longs __attribute__((vector_size(32)));

/* Hides a value from the optimiser; also orders memory accesses at compile time. */
#define OPAQUE(value) __asm__ volatile("" : "+r"(value) : : "memory")
#define OPAQUE_VECTOR(value) __asm__ volatile("" : "+x"(value) : : "memory")

static inline long argument(int argc, char **argv, int index, long otherwise) {
    return index < argc ? strtol(argv[index], NULL, 10) : otherwise;
}

/* Memory that starts at a page; never freed, because the program ends soon. */
static inline void *pages(size_t bytes) {
    void *memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (memory == NULL)
        abort();
    return memory;
}

static inline uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

typedef void work_function(int thread, int threads);

struct worker {
    pthread_t id;
    work_function *work;
    int thread, threads;
};

static inline void *worker_main(void *argument_) {
    struct worker *worker = (struct worker *)argument_;
    worker->work(worker->thread, worker->threads);
    return NULL;
}

/* Runs work(0) to work(threads - 1), each in a thread; work(0) runs in the caller. At most 64 threads. */
static inline void in_threads(int threads, work_function *work) {
    struct worker workers[64];
    if (threads < 1 || threads > 64)
        abort();
    for (int i = 0; i < threads; i++) {
        workers[i].work = work;
        workers[i].thread = i;
        workers[i].threads = threads;
        if (i > 0 && pthread_create(&workers[i].id, NULL, worker_main, &workers[i]) != 0)
            abort();
    }
    work(0, threads);
    for (int i = 1; i < threads; i++)
        pthread_join(workers[i].id, NULL);
}

static inline double sum_of(doubles v) {
    return v[0] + v[1] + v[2] + v[3];
}

static inline void print_double(double checksum) {
    printf("%.6e\n", checksum);
}

static inline void print_integer(uint64_t checksum) {
    printf("%" PRIu64 "\n", checksum);
}

#endif
