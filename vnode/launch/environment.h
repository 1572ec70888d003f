/* environment.h - the environment that makes a process belong to a node.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_ENVIRONMENT_H
#define ASSAY_LAUNCH_ENVIRONMENT_H

/* The caller's environment with the node's variables set; `tools` is an absolute path. NULL: out of memory. The caller
 * frees it with environment_free(). */
char **environment_make(const char *folder, const char *tools);
void environment_free(char **environment);

#endif
