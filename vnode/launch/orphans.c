/* orphans.c - processes that a command leaves running.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "orphans.h"

#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Time is counted in steps, because on a busy machine the processes and the steps take longer. The wait is at most
 * LONGEST times as long as requested. */
enum { STEP_MS = 2, LONGEST = 4 };

int orphans_adopt(void) {
    return prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);
}

static pid_t parent_of(const char *process) {
    char path[64], line[512];
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%.20s/stat", process);
    FILE *file = fopen(path, "re");
    /* the name, in parentheses, may contain anything: continue after the last one */
    const char *end = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    if (!end || sscanf(end + 1, " %*c %d", &parent) != 1)
        parent = 0;
    if (file)
        fclose(file);
    return parent;
}

/* Counts the children of this process but one, and kills them if `kills`; their own children become its children.
 * Reaps ended ones, which do not count. */
static int count_children(pid_t spared, int kills) {
    int count = 0;
    DIR *processes = opendir("/proc");
    for (struct dirent *entry = processes ? readdir(processes) : NULL; entry; entry = readdir(processes)) {
        pid_t pid = (pid_t)atoi(entry->d_name);
        if (pid <= 0 || pid == spared || parent_of(entry->d_name) != getpid() || waitpid(pid, NULL, WNOHANG) == pid)
            continue;
        count++;
        if (kills && kill(pid, SIGKILL) == 0)
            waitpid(pid, NULL, 0);
    }
    if (processes)
        closedir(processes);
    return count;
}

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

int orphans_end(pid_t spared, int milliseconds) {
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
    int killed = 0, more;
    int64_t end = now_ms() + (int64_t)milliseconds * LONGEST; /* a scan of all processes may itself take long */
    for (int slept = 0; count_children(spared, 0) > 0 && slept < milliseconds && now_ms() < end; slept += STEP_MS)
        nanosleep(&step, NULL);
    while ((more = count_children(spared, 1)) > 0)
        killed += more;
    prctl(PR_SET_CHILD_SUBREAPER, 0L, 0L, 0L, 0L);
    return killed;
}
