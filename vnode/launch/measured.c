/* measured.c - whether anything was measured on a node.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <dirent.h>
#include <string.h>

#include "vnode.h"
#include "vnode/shim/perf_agent.h"

int vnode_measured(const struct vnode *node) {
    /* of a process with an access daemon, see vnode/pmu/registers_file.h */
    static const char registers[] = "registers.";
    int found = 0;
    DIR *folder = opendir(vnode_dir(node));
    for (struct dirent *entry = folder ? readdir(folder) : NULL; entry && !found; entry = readdir(folder))
        found = strncmp(entry->d_name, registers, sizeof registers - 1) == 0 || strcmp(entry->d_name, AGENT_FILE) == 0;
    if (folder)
        closedir(folder);
    return found;
}
