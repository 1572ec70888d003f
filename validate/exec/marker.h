/* marker.h - counters of marker.c and the two interfaces that count them. */
#ifndef ASSAY_MARKER_H
#define ASSAY_MARKER_H

#include <stdint.h>

struct marker_counter {
    char name[64], event[128], pmu[64], fields[128], cpus[256];
};

struct marker_backend;

/* A counter in one thread. */
struct marker_source {
    const struct marker_backend *by; /* NULL: the thread does not count it */
    int handle;
    char *why; /* why it does not count; NULL: it counts */
};

struct marker_backend {
    /* Starts the counter in the calling thread, which runs on `cpu`. */
    void (*open)(const struct marker_counter *counter, struct marker_source *source, int cpu);
    uint64_t (*read)(struct marker_source *source);
};

extern const struct marker_backend marker_perf, marker_papi;

/* LIKWID's functions, as <likwid-marker.h> calls them. */
void likwid_markerInit(void);
void likwid_markerThreadInit(void);
int likwid_markerRegisterRegion(const char *name);
int likwid_markerStartRegion(const char *name);
int likwid_markerStopRegion(const char *name);
void likwid_markerClose(void);
int perfmon_readCountersCpu(int cpu);

/* Sets source->why, as printf() does. */
void marker_refuse(struct marker_source *source, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
