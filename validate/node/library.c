/* library.c - loads a library in a child process. SPDX-License-Identifier: GPL-3.0-or-later */
#include "library.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

int library_is_there(const char *name) {
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(dlopen(name, RTLD_LAZY | RTLD_LOCAL) == NULL);
    while (child > 0 && waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return 0;
    }
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
