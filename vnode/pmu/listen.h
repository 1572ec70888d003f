/* listen.h - the access daemon's socket, and its one client.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_LISTEN_H
#define ASSAY_PMU_LISTEN_H

#include <sys/types.h>

/* The connection to the client, -1 and errno if none came within half a minute or `client` has ended. Only processes
 * of the same user are clients. The socket (protocol.h) has mode 0600, and its name is gone afterwards. `parent` is
 * from parent_watch(). */
int listen_for_client(const char *folder, int parent, pid_t client);

#endif
