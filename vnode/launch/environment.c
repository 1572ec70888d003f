/* environment.c - the environment of a node's processes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vnode/command.h"
#include "vnode/node_file.h"

extern char **environ;

/* Variables that are set for the node, or that only make sense outside of it. */
static const char *const ours[] = {NODE_DIR_VARIABLE, NODE_TOOLS_VARIABLE, NODE_AFFINITY_VARIABLE, "PATH",
                                   "LD_PRELOAD",      "HWLOC_XMLFILE",     "HWLOC_THISSYSTEM",     "LIKWID_TOPO_FILE",
                                   "LIKWID_CFG_FILE", "LD_BIND_NOW",       "HWLOC_SYNTHETIC"};
enum { OURS = sizeof ours / sizeof *ours };

static int is_ours(const char *entry) {
    for (int i = 0; i < OURS; i++) {
        size_t length = strlen(ours[i]);
        if (strncmp(entry, ours[i], length) == 0 && entry[length] == '=')
            return 1;
    }
    return 0;
}

/* NAME=first[separator second], in new memory. */
static char *variable(const char *name, const char *first, char separator, const char *second) {
    char *out = NULL;
    int length = second && *second ? asprintf(&out, "%s=%s%c%s", name, first, separator, second)
                                   : asprintf(&out, "%s=%s", name, first);
    return length < 0 ? NULL : out;
}

char **environment_make(const char *folder, const char *tools) {
    char path[COMMAND_PATH + 64];
    size_t count = 0, n = 0;
    while (environ[count])
        count++;
    char **out = calloc(count + OURS + 1, sizeof *out);
    if (!out)
        return NULL;
    out[n++] = variable(NODE_DIR_VARIABLE, folder, 0, NULL);
    out[n++] = variable(NODE_TOOLS_VARIABLE, tools, 0, NULL);
    snprintf(path, sizeof path, "%s/bin", tools);
    out[n++] = variable("PATH", path, ':', getenv("PATH"));
    snprintf(path, sizeof path, "%s/libassay-node.so", tools);
    out[n++] = variable("LD_PRELOAD", path, ':', getenv("LD_PRELOAD"));
    snprintf(path, sizeof path, "%s/topology.xml", folder);
    out[n++] = variable("HWLOC_XMLFILE", path, 0, NULL);
    /* hwloc binds only if told that the topology is this system's */
    out[n++] = variable("HWLOC_THISSYSTEM", "1", 0, NULL);
    /* the preloaded library redirects this to the node's file (vnode/shim/files.c): LIKWID 5.4 allows only 1023
     * characters */
    out[n++] = variable("LIKWID_TOPO_FILE", "/etc/likwid_topo.cfg", 0, NULL);
    /* symbol lookup at the first call would count in the region that makes it */
    out[n++] = variable("LD_BIND_NOW", "1", 0, NULL);
    for (size_t i = 0; i < count; i++)
        if (!is_ours(environ[i]))
            out[n++] = strdup(environ[i]);
    for (size_t i = 0; i < n; i++)
        if (!out[i]) {
            while (n > 0)
                free(out[--n]);
            free(out);
            return NULL;
        }
    return out;
}

void environment_free(char **environment) {
    for (size_t i = 0; environment && environment[i]; i++)
        free(environment[i]);
    free(environment);
}
