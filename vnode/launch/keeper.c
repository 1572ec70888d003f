/* keeper.c - cleans up a node whose launcher was killed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "keeper.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vnode/node_file.h"

enum { ROUNDS = 100, ROUND_US = 10000 };

static int belongs(pid_t process, const char *folder) {
    char path[64], *entry = NULL;
    size_t room = 0, name = strlen(NODE_DIR_VARIABLE);
    int found = 0;
    snprintf(path, sizeof path, "/proc/%d/environ", (int)process);
    FILE *file = fopen(path, "re");
    while (file && !found && getdelim(&entry, &room, '\0', file) > 0)
        found =
            strncmp(entry, NODE_DIR_VARIABLE, name) == 0 && entry[name] == '=' && strcmp(entry + name + 1, folder) == 0;
    free(entry);
    if (file)
        fclose(file);
    return found;
}

/* Kills the node's processes in this session; returns their number. */
static int kill_all(const char *folder) {
    DIR *dir = opendir("/proc");
    int count = 0;
    for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
        pid_t process = (pid_t)atoi(entry->d_name);
        if (process <= 1 || process == getpid() || getsid(process) != getsid(0) || !belongs(process, folder))
            continue;
        count += kill(process, SIGKILL) == 0;
    }
    if (dir)
        closedir(dir);
    return count;
}

/* Closes everything of the launcher's but the folder's lock: pipes would stay open. */
static void let_go(struct scratch *scratch) {
    if (scratch->lock > 0 && dup2(scratch->lock, 0) == 0)
        scratch->lock = 0;
    syscall(SYS_close_range, scratch->lock == 0 ? 1U : 0U, ~0U, 0U);
    setpgid(0, 0); /* leaves the launcher's process group, whose signals are not for this process */
    prctl(PR_SET_NAME, "assay-keeper");
}

static void keep(pid_t launcher, struct scratch *scratch) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    let_go(scratch);
    while (getppid() == launcher)
        sigwaitinfo(&all, NULL);
    /* processes that are starting or ending are killed in the next round */
    for (int round = 0; kill_all(scratch->folder) > 0 && round < ROUNDS; round++)
        usleep(ROUND_US);
    scratch_remove(scratch);
}

pid_t keeper_start(const struct scratch *scratch) {
    pid_t launcher = getpid(), keeper = fork();
    if (keeper == 0) {
        struct scratch own = *scratch;
        keep(launcher, &own);
        _exit(EXIT_SUCCESS);
    }
    return keeper > 0 ? keeper : 0;
}

void keeper_stop(pid_t keeper) {
    if (keeper <= 0)
        return;
    kill(keeper, SIGKILL);
    while (waitpid(keeper, NULL, 0) < 0 && errno == EINTR) {
    }
}
