/* client.h - what a daemon without an environment learns from the process that started it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_CLIENT_H
#define ASSAY_PMU_CLIENT_H

#include <stddef.h>
#include <sys/types.h>

/* The value of an environment variable of a process. 0, or -1: it has none, or one of `size` characters or more. */
int client_variable(pid_t process, const char *name, char *out, size_t size);

/* The nearest of a process and its ancestors that has the variable, and its value. 0: none has. */
pid_t client_member(pid_t process, const char *name, char *out, size_t size);

/* Whether it waits for something other than a processor. */
int client_sleeps(pid_t process);

#endif
