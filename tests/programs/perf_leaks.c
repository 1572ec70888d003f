/* perf_leaks.c - opens more perf events than the node has at once, closes them or is killed with them, and looks for
 * what they leave behind.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "perf_open.h"

enum { OPENINGS = 10000, WARM = 1000, CHILDREN = 15, EVENTS = 100, MOST_KIB = 1024 };

/* Files of the folder whose names begin so. */
static int files(const char *folder, const char *start) {
    DIR *all = opendir(folder);
    int count = 0;
    for (struct dirent *one; all && (one = readdir(all)) != NULL;)
        count += strncmp(one->d_name, start, strlen(start)) == 0;
    promise(all != NULL && closedir(all) == 0, folder);
    return count;
}

static long memory_kib(void) {
    char line[256];
    long found = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "VmRSS: %ld", &found);
    promise(file != NULL && fclose(file) == 0 && found > 0, "the process's memory is known");
    return found;
}

static int open_event(void) {
    return open_own(counting(PERF_COUNT_HW_INSTRUCTIONS), NO_GROUP);
}

/* A process is killed that has EVENTS events. */
static void kill_one(void) {
    int ready[2], opened = 0;
    promise(pipe(ready) == 0, "a pipe");
    pid_t child = fork();
    if (child == 0) {
        while (opened < EVENTS && open_event() >= 0)
            opened++;
        promise(write(ready[1], &opened, sizeof opened) == sizeof opened, "the child reports");
        for (;;)
            pause();
    }
    promise(read(ready[0], &opened, sizeof opened) == sizeof opened && opened == EVENTS,
            "killed processes' events are free again");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(ready[0]);
    close(ready[1]);
}

int main(void) {
    const char *folder = getenv("ASSAY_NODE_DIR");
    int fds = files("/proc/self/fd", "");
    long before = memory_kib(); /* so that its code is translated before it counts */
    for (int i = 0; i < OPENINGS; i++) {
        if (i == WARM)
            before = memory_kib();
        int fd = open_event();
        promise(fd >= 0 && close(fd) == 0, "an event can be opened and closed");
    }
    promise(memory_kib() - before < MOST_KIB, "events leave no memory");
    promise(files("/proc/self/fd", "") == fds, "events leave no descriptors");
    promise(files(folder, "perf-ring") == 0 && files(folder, "perf-event") == files(folder, "perf-events"),
            "events leave no files");
    for (int i = 0; i < CHILDREN; i++) /* more than the node has */
        kill_one();
    int fd = open_event();
    promise(fd >= 0 && close(fd) == 0, "events can be opened after that");
    return broken;
}
