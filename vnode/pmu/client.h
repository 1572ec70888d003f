/* client.h - what a daemon, started with an empty environment, reads from its parent process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_CLIENT_H
#define ASSAY_PMU_CLIENT_H

#include <stddef.h>
#include <sys/types.h>

/* The value of a process's environment variable. 0, or -1: unset, or not shorter than `size`. */
int client_variable(pid_t process, const char *name, char *out, size_t size);

/* The nearest process, starting at `process` and going up its ancestors, that has the variable; and its value. 0:
 * none has. */
pid_t client_member(pid_t process, const char *name, char *out, size_t size);

/* Whether the process waits for something other than a processor. */
int client_sleeps(pid_t process);

#endif
