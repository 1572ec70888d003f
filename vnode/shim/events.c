/* events.c - events of likwid-perfctr's groups that the node does not count.
 *
 * The access daemon decides this when a counter is programmed, and notes it for its client (vnode/pmu/notes.h).
 * LIKWID knows which event it programmed there.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "events.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim.h"
#include "vnode/pmu/notes.h"

/* Functions of liblikwid, as declared in likwid.h. */
struct likwid {
    int (*groups)(void), (*active)(void), (*events)(int group), (*setup)(int group), (*start)(void), (*stop)(void);
    char *(*event)(int group, int event), *(*counter)(int group, int event), *(*name)(int group);
};

struct refusal {
    int group, event;
};

struct refused {
    struct refusal *list;
    size_t count;
};

static struct refused *refused(void) {
    static struct refused list;
    return &list;
}

static int load(const char *library, struct likwid *out) {
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    const struct {
        const char *name;
        void *place;
    } wanted[] = {{"perfmon_getIdOfActiveGroup", &out->active}, {"perfmon_getNumberOfGroups", &out->groups},
                  {"perfmon_getNumberOfEvents", &out->events},  {"perfmon_setupCounters", &out->setup},
                  {"perfmon_startCounters", &out->start},       {"perfmon_stopCounters", &out->stop},
                  {"perfmon_getEventName", &out->event},        {"perfmon_getCounterName", &out->counter},
                  {"perfmon_getGroupName", &out->name}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *function = handle ? dlsym(handle, wanted[i].name) : NULL;
        if (!function)
            return -1;
        memcpy(wanted[i].place, &function, sizeof function);
    }
    return 0;
}

/* Appends new notes for this process after the first `keep` bytes of `out`. */
static void take_notes(char *out, size_t size, size_t keep) {
    char path[4200];
    snprintf(path, sizeof path, CLIENT_NOTES, shim()->folder, (int)getpid());
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? 0 : read(fd, out + keep, size - 1 - keep);
    if (fd >= 0)
        close(fd);
    out[keep + (size_t)(length > 0 ? length : 0)] = '\0';
    unlink(path);
}

/* Keeps only notes of counters that are not modelled, whatever their event. Returns their length. */
static size_t keep_lacking(char *notes) {
    size_t kept = 0;
    for (char *line = notes; *line;) {
        size_t length = strcspn(line, "\n"), codes = strcspn(line, " ");
        length += line[length] == '\n';
        if (strncmp(line + codes, " 0x00:0x00 ", 11) == 0) {
            memmove(notes + kept, line, length);
            kept += length;
        }
        line += length;
    }
    notes[kept] = '\0';
    return kept;
}

/* Length of a counter's name without LIKWID's options: PMC0:EDGEDETECT. */
static size_t name_length(const char *counter) {
    return strcspn(counter, ":");
}

/* The line of a counter in the notes, NULL: none. */
static const char *line_of(const char *notes, const char *counter) {
    size_t length = name_length(counter);
    for (const char *line = notes; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (strncmp(line, counter, length) == 0 && line[length] == ' ')
            return line;
    return NULL;
}

/* Records the line, so that the launcher does not report it again. */
static void remember(const char *line) {
    char path[4200];
    size_t length = strcspn(line, "\n") + 1;
    snprintf(path, sizeof path, "%s/%s", shim()->folder, EXPLAINED_FILE_NAME);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, line, length) != (ssize_t)length)
        perror(path);
    if (fd >= 0)
        close(fd);
}

static void refuse(int group, int event) {
    struct refused *r = refused();
    struct refusal *larger = realloc(r->list, (r->count + 1) * sizeof *larger);
    if (!larger)
        return;
    r->list = larger;
    r->list[r->count++] = (struct refusal){group, event};
}

/* Reports the events of a group that was just programmed. */
static void explain_group(const struct likwid *likwid, int group, int groups, const char *notes) {
    for (int i = 0; i < likwid->events(group); i++) {
        const char *counter = likwid->counter(group, i), *line = counter ? line_of(notes, counter) : NULL;
        if (!line)
            continue;
        const char *codes = line + name_length(counter) + 1, *reason = codes + strcspn(codes, " \n");
        dprintf(STDERR_FILENO, "assay vnode: not counted here: %s (%s%s%s):%.*s; it and metrics that use it show -\n",
                likwid->event(group, i), counter, groups > 1 ? " of group " : "", groups > 1 ? likwid->name(group) : "",
                (int)strcspn(reason, "\n"), reason);
        remember(line);
        refuse(group, i);
    }
}

int events_are_noted(void) {
    char path[4200];
    struct stat status;
    snprintf(path, sizeof path, CLIENT_NOTES, shim()->folder, (int)getpid());
    return stat(path, &status) == 0;
}

int events_are_refused(int group, int event) {
    const struct refused *r = refused();
    size_t i = 0;
    while (i < r->count && (r->list[i].group != group || r->list[i].event != event))
        i++;
    return i < r->count;
}

/* Forces LIKWID to write registers whose value does not change, because the node notes only writes. */
static int set_up(const struct likwid *likwid, int group) {
    static const char variable[] = "LIKWID_FORCE_SETUP";
    int is_users = getenv(variable) != NULL;
    setenv(variable, "1", 1);
    int status = likwid->setup(group);
    if (!is_users)
        unsetenv(variable);
    return status;
}

/* Programs a group and appends its notes to those kept. Until all its counters are programmed, one may still hold
 * another group's event and be noted for it: so the group is programmed twice. */
static int note_group(const struct likwid *likwid, int group, char *notes, size_t size) {
    if (set_up(likwid, group) != 0)
        return -1;
    take_notes(notes, size, keep_lacking(notes));
    size_t kept = keep_lacking(notes);
    /* some counters are programmed only at start */
    if (set_up(likwid, group) != 0 || likwid->start() != 0)
        return -1;
    take_notes(notes, size, kept);
    return likwid->stop();
}

void events_explain(const char *library, int running) {
    struct likwid likwid;
    char notes[16384] = "";
    if (load(library, &likwid) != 0)
        return;
    int groups = likwid.groups(), active = likwid.active();
    if (groups == 1 && running) { /* it is already programmed, and nothing else */
        take_notes(notes, sizeof notes, 0);
        explain_group(&likwid, 0, groups, notes);
        return;
    }
    if (running)
        likwid.stop();
    for (int group = 0; group < groups; group++)
        if (note_group(&likwid, group, notes, sizeof notes) == 0)
            explain_group(&likwid, group, groups, notes);
    if (set_up(&likwid, active) == 0 && running)
        likwid.start();
}
