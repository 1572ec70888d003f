/* shim.c - what a process knows about its node.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "shim.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "vnode/command.h"
#include "vnode/engine/requests.h"
#include "vnode/node_file.h"

/* Reads a part of the node file. */
static int read_part(int fd, size_t offset, void *out, size_t size) {
    return pread(fd, out, size, (off_t)offset) == (ssize_t)size ? 0 : -1;
}

static int read_node(const char *folder, struct shim *out) {
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", folder, NODE_FILE_NAME);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    int result = read_part(fd, offsetof(struct node_file, config), &out->config, sizeof out->config);
    if (result == 0)
        result = read_part(fd, offsetof(struct node_file, perfmon2), &out->perfmon2, sizeof out->perfmon2);
    if (result == 0)
        result = read_part(fd, offsetof(struct node_file, memory_bytes), &out->memory_bytes, sizeof out->memory_bytes);
    close(fd);
    return result;
}

static void learn(struct shim *out) {
    const char *folder = getenv(NODE_DIR_VARIABLE), *tools = getenv(NODE_TOOLS_VARIABLE);
    if (!folder || !tools || strlen(folder) >= sizeof out->folder || strlen(tools) >= sizeof out->tools ||
        read_node(folder, out) != 0)
        return;
    strcpy(out->folder, folder);
    strcpy(out->tools, tools);
    out->cores = sim_cpus(&out->config);
    out->all = out->cores >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << out->cores) - 1;
    out->clock_hz = out->config.clock_hz;
    out->simulated = engine_present();
    if (out->simulated)
        out->realtime_offset = engine_realtime_offset();
    out->active = 1;
}

const struct shim *shim(void) {
    static struct shim state;
    static int learned; /* constructors of other libraries may call this first, with a single thread */
    if (!learned) {
        learned = 1;
        learn(&state);
    }
    return &state;
}
