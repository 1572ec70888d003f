/* marker_papi.c - counters of PAPI's presets. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libpapi is loaded when it is first needed: whoever does not use it needs no PAPI. */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#include "marker.h"

enum { NULL_SET = -1 }; /* PAPI_NULL */

static struct {
    int tried, failed; /* to load it */
    int (*library_init)(int version), (*thread_init)(unsigned long (*id)(void)), (*create_eventset)(int *set);
    int (*add_named_event)(int set, const char *name), (*start)(int set), (*read)(int set, long long *values);
    char *(*strerror)(int code);
} papi;

static unsigned long id_of_thread(void) {
    return (unsigned long)pthread_self();
}

/* PAPI takes no other version than its own. */
static int initialise(void) {
    for (int version = 5 << 24; version < 10 << 24; version += 1 << 16) {
        if (papi.library_init(version) == version)
            return papi.thread_init(id_of_thread);
    }
    return -1;
}

/* 0, or -1 if there is no PAPI. Its functions are void * to dlsym(). */
static int load(void) {
    static const char *const names[] = {"libpapi.so", "libpapi.so.7.2", "libpapi.so.7.1", "libpapi.so.7.0",
                                        "libpapi.so.6.0"};
    const struct {
        const char *name;
        void *function;
    } functions[] = {{"PAPI_library_init", &papi.library_init},
                     {"PAPI_thread_init", &papi.thread_init},
                     {"PAPI_create_eventset", &papi.create_eventset},
                     {"PAPI_add_named_event", &papi.add_named_event},
                     {"PAPI_start", &papi.start},
                     {"PAPI_read", &papi.read},
                     {"PAPI_strerror", &papi.strerror}};
    void *library = NULL;
    for (size_t i = 0; library == NULL && i < sizeof names / sizeof names[0]; i++)
        library = dlopen(names[i], RTLD_NOW);
    for (size_t i = 0; library != NULL && i < sizeof functions / sizeof functions[0]; i++) {
        if ((*(void **)functions[i].function = dlsym(library, functions[i].name)) == NULL)
            return -1;
    }
    return library != NULL ? initialise() : -1;
}

/* Called by one thread at a time. */
static void open_preset(const struct marker_counter *counter, struct marker_source *source, int cpu) {
    int set = NULL_SET, code;
    (void)cpu;
    if (!papi.tried)
        papi.failed = load();
    papi.tried = 1;
    if (papi.failed)
        marker_refuse(source, "libpapi cannot be used; install PAPI or put its folder into LD_LIBRARY_PATH");
    else if ((code = papi.create_eventset(&set)) != 0 || (code = papi.add_named_event(set, counter->event)) != 0 ||
             (code = papi.start(set)) != 0)
        marker_refuse(source, "PAPI: %s", papi.strerror(code));
    source->handle = set;
}

static uint64_t read_preset(struct marker_source *source) {
    long long value = 0;
    int code = papi.read(source->handle, &value);
    if (code != 0)
        marker_refuse(source, "PAPI: %s", papi.strerror(code));
    return (uint64_t)value;
}

const struct marker_backend marker_papi = {open_preset, read_preset};
