/* registers.c NODE_DIR MOUNT_POINT [REGISTER] - a file system with the registers of a virtual node, as Linux' msr
 * driver shows a machine's: MOUNT_POINT/N/msr has those of core N, each at its number. One state for all processes, as
 * in a machine. Starts outside of the node, and ends when it is unmounted. Writes to REGISTER (hexadecimal) are
 * refused, as by a locked kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define FUSE_USE_VERSION 31
#include <errno.h>
#include <fuse3/fuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "vnode/pmu/compiled.h"
#include "vnode/pmu/moment.h"
#include "vnode/pmu/notes.h"
#include "vnode/pmu/pmu.h"

static struct pmu_state state;
static struct moment moment;
static struct pmu pmu = {.state = &state, .view = {.moment = &moment}};
static unsigned long refused = -1UL;

static void note(void *folder, const char *counter, uint64_t select, const char *reason) {
    note_not_counted(folder, pmu.view.client, counter, select, reason);
}

/* The calling thread's process. */
static pid_t caller(void) {
    char path[64], line[256];
    int process = fuse_get_context()->pid;
    snprintf(path, sizeof path, "/proc/%d/status", process);
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL && sscanf(line, "Tgid: %d", &process) != 1) {
    }
    if (file != NULL)
        fclose(file);
    return process;
}

/* Another process reads at a moment of its own. */
static void serve(pid_t client) {
    if (client == pmu.view.client)
        return;
    pmu.view.client = client;
    moment_ends(&moment);
    moment.of_others = 1;
}

/* The core of "/N" or "/N/msr", -1: there is no such path. */
static int core_of(const char *path, int *is_file) {
    char name[16] = "";
    unsigned core;
    int fields = sscanf(path, "/%u/%15s", &core, name);
    *is_file = strcmp(name, "msr") == 0;
    return fields >= 1 && pmu_check(&pmu, 0, core) == PMU_OK && (fields == 1 || *is_file) ? (int)core : -1;
}

static int get_attributes(const char *path, struct stat *out, struct fuse_file_info *file) {
    (void)file;
    int is_file = 0, is_root = strcmp(path, "/") == 0;
    if (!is_root && core_of(path, &is_file) < 0)
        return -ENOENT;
    *out = (struct stat){.st_mode = is_file ? S_IFREG | 0600 : S_IFDIR | 0755, .st_nlink = 1};
    return 0;
}

/* The kernel keeps nothing, and reads and writes anywhere. */
static int open_registers(const char *path, struct fuse_file_info *file) {
    (void)path;
    file->direct_io = 1;
    return 0;
}

static int answer(enum pmu_answer what) {
    return what == PMU_OK ? (int)sizeof(uint64_t) : what == PMU_RESTRICTED ? -EPERM : -EIO;
}

static int read_register(const char *path, char *out, size_t size, off_t reg, struct fuse_file_info *file) {
    (void)file;
    int is_file, core = core_of(path, &is_file);
    uint64_t data = 0;
    if (size != sizeof data)
        return -EINVAL;
    serve(caller());
    enum pmu_answer what = pmu_read(&pmu, 0, (uint32_t)core, (uint32_t)reg, &data);
    memcpy(out, &data, sizeof data);
    return answer(what);
}

static int write_register(const char *path, const char *in, size_t size, off_t reg, struct fuse_file_info *file) {
    (void)file;
    int is_file, core = core_of(path, &is_file);
    uint64_t data;
    if (size != sizeof data)
        return -EINVAL;
    memcpy(&data, in, sizeof data);
    serve(caller());
    return answer((unsigned long)reg == refused ? PMU_RESTRICTED
                                                : pmu_write(&pmu, 0, (uint32_t)core, (uint32_t)reg, data));
}

static const struct fuse_operations operations = {
    .getattr = get_attributes, .open = open_registers, .read = read_register, .write = write_register};

int main(int argc, char **argv) {
    char error[512], *folder = argc > 2 ? argv[1] : "";
    char *arguments[] = {argv[0], "-s", argv[2], NULL}; /* one thread; goes to the background when it is mounted */
    if ((pmu.view.node = node_map(folder)) == NULL)
        return perror(folder), 1;
    const struct compiled *compiled = compiled_map(folder, error, sizeof error);
    if (compiled == NULL)
        return fprintf(stderr, "registers: %s\n", error), 1;
    pmu.table = &compiled->table;
    pmu.faults = &compiled->faults;
    pmu.not_counted = note;
    pmu.context = folder;
    if (argc > 3)
        refused = strtoul(argv[3], NULL, 16);
    return fuse_main(3, arguments, &operations, NULL);
}
