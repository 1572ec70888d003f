/* listen.h - the access daemon's socket, and its one client.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_LISTEN_H
#define ASSAY_PMU_LISTEN_H

#include <sys/types.h>

/* Waits for the client and returns the connection; -1 and errno if none came within 30 s or `client` has ended.
 * Accepts only processes of the same user. The socket (protocol.h) has mode 0600 and is unlinked afterwards. `parent`
 * is from parent_watch(). */
int listen_for_client(const char *folder, int parent, pid_t client);

#endif
