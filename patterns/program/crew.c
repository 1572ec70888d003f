/* crew.c - threads, barriers, regions and refusals. SPDX-License-Identifier: GPL-3.0-or-later */
#include "patterns/program/crew.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <likwid-marker.h>

#include "patterns/program/cpus.h"
#include "patterns/program/pages.h"

static double seconds(struct timeval time) {
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* Seconds of processor time that all threads of this process have used. */
static double busy_now(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? seconds(usage.ru_utime) + seconds(usage.ru_stime) : 0;
}

void crew_meet(struct crew *crew) {
    pthread_barrier_wait(&crew->barrier);
}

void crew_fail(const struct member *member, const struct error *error) {
    struct crew *crew = member->crew;
    pthread_mutex_lock(&crew->lock);
    if (!crew->failed || member->number < crew->failed_member) {
        crew->error = *error;
        crew->failed_member = member->number;
    }
    crew->failed = 1;
    pthread_mutex_unlock(&crew->lock);
}

static void refuse(const struct member *member, const char *region, const char *what, int status) {
    struct error error;
    if (status == 0 || !member->crew->measuring)
        return;
    error_set(&error, "region %s on CPU %d: LIKWID does not %s it (%d); see its messages above", region,
              member->crew->cpu[member->number], what, status);
    crew_fail(member, &error);
}

void crew_open(const struct member *member) {
    if (member->number == 0)
        member->crew->before = busy_now();
    crew_meet(member->crew);
}

void crew_close(const struct member *member, const char *region, int started, int stopped) {
    if (member->number == 0)
        member->crew->busy += busy_now() - member->crew->before;
    refuse(member, region, "start", started);
    refuse(member, region, "stop", stopped);
    crew_meet(member->crew);
}

static void *work(void *argument) {
    struct member *member = argument;
    struct crew *crew = member->crew;
    struct error error;
    pthread_mutex_lock(&crew->lock);
    int cancelled = crew->cancelled;
    pthread_mutex_unlock(&crew->lock);
    if (cancelled)
        return NULL;
    LIKWID_MARKER_THREADINIT;
    if (cpu_pin(crew->cpu[member->number], &error) != 0) /* after LIKWID's pinning by order of start */
        crew_fail(member, &error);
    for (size_t i = 0; i < crew->points; i++) {
        const char *region = crew->region(crew->context, i);
        refuse(member, region, "register", LIKWID_MARKER_REGISTER(region));
    }
    crew_meet(crew);
    for (size_t i = 0; i < crew->points && !crew->failed; i++)
        crew->run(member, i);
    return NULL;
}

/* The calling thread works as thread 0 and then waits for the others. */
static int run_members(struct crew *crew, struct member *members, struct error *error) {
    size_t created = 1;
    int failed = 0;
    pthread_mutex_lock(&crew->lock);
    while (created < crew->threads && failed == 0) {
        failed = pthread_create(&members[created].thread, NULL, work, &members[created]);
        created += failed == 0;
    }
    crew->cancelled = failed != 0;
    pthread_mutex_unlock(&crew->lock);
    work(&members[0]);
    for (size_t i = 1; i < created; i++)
        pthread_join(members[i].thread, NULL);
    if (failed != 0)
        return error_set(error, "cannot create thread %zu: %s; use fewer CPUs", created, strerror(failed));
    if (crew->failed)
        *error = crew->error;
    return crew->failed ? -1 : 0;
}

int crew_run(struct crew *crew, struct error *error) {
    struct member *members = calloc(crew->threads, sizeof *members);
    if (members == NULL || pthread_barrier_init(&crew->barrier, NULL, (unsigned)crew->threads) != 0) {
        free(members);
        return error_set(error, "no memory for %zu threads; use fewer CPUs", crew->threads);
    }
    pthread_mutex_init(&crew->lock, NULL);
    for (size_t i = 0; i < crew->threads; i++)
        members[i] = (struct member){.crew = crew, .number = i};
    pages_forget_policy();
    crew->measuring = getenv("LIKWID_EVENTS") != NULL;
    if (crew->measuring)
        LIKWID_MARKER_INIT;
    int result = run_members(crew, members, error);
    if (crew->measuring) {
        LIKWID_MARKER_CLOSE;
        printf("cpu_seconds_in_regions %.6f\n", crew->busy);
    }
    pthread_mutex_destroy(&crew->lock);
    pthread_barrier_destroy(&crew->barrier);
    free(members);
    return result;
}
