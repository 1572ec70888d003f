/* shim.c - what a process knows of the node it belongs to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "shim.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "vnode/engine/requests.h"
#include "vnode/node_file.h"

#define MILLISECOND 1000000

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
        result = read_part(fd, offsetof(struct node_file, memory_bytes), &out->memory_bytes, sizeof out->memory_bytes);
    close(fd);
    return result;
}

static int64_t host_ns(clockid_t clock) {
    struct timespec now = {0};
    syscall(SYS_clock_gettime, clock, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void set_clocks(struct shim *out) {
    int64_t now = (int64_t)engine_time_now(), monotonic = host_ns(CLOCK_MONOTONIC), real = host_ns(CLOCK_REALTIME);
    out->monotonic_offset = monotonic - monotonic % MILLISECOND - now;
    out->realtime_offset = real - real % MILLISECOND - now;
}

static void learn(struct shim *out) {
    const char *folder = getenv(NODE_DIR_VARIABLE), *tools = getenv(NODE_TOOLS_VARIABLE);
    if (!folder || !tools || strlen(folder) >= sizeof out->folder || strlen(tools) >= sizeof out->tools ||
        read_node(folder, out) != 0)
        return;
    strcpy(out->folder, folder);
    strcpy(out->tools, tools);
    out->cores = sim_cores(&out->config);
    out->all = out->cores >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << out->cores) - 1;
    out->clock_hz = out->config.clock_hz;
    out->simulated = engine_present();
    if (out->simulated)
        set_clocks(out);
    out->active = 1;
}

const struct shim *shim(void) {
    static struct shim state;
    static int learned; /* constructors of other libraries may come first, still with one thread */
    if (!learned) {
        learned = 1;
        learn(&state);
    }
    return &state;
}
