/* environment.h - the environment of a node's processes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_ENVIRONMENT_H
#define ASSAY_LAUNCH_ENVIRONMENT_H

/* The caller's environment plus the node's variables; `tools` is an absolute path. NULL: out of memory. Free it with
 * environment_free(). */
char **environment_make(const char *folder, const char *tools);
void environment_free(char **environment);

#endif
