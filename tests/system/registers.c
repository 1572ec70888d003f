/* registers.c NODE_DIR MOUNT_POINT [REGISTER] - a file system with the registers of a virtual node, as Linux shows a
 * machine's: MOUNT_POINT/N/msr has those of core N, each at its number, MOUNT_POINT/pci is Haswell-EP's /proc/bus/pci.
 * One state for all processes, as in a machine. Starts outside of the node, and ends when it is unmounted. Writes to
 * REGISTER (hexadecimal) are refused, as by a locked kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define FUSE_USE_VERSION 31
#include <errno.h>
#include <fuse3/fuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "vnode/counts_parts.h"
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

/* Publishes the client's current counts, while it waits for its answer. (For a daemon's clients the engine does so.) */
static void publish(struct node_slot *slot) {
    struct counts_part part[COUNTS_PARTS];
    counts_find_parts(&pmu.view.node->config, part);
    for (int i = 0; i < COUNTS_PARTS; i++)
        memcpy(counts_totals(&slot->published, &part[i]), counts_totals(&slot->live, &part[i]),
               part[i].totals * sizeof(uint64_t));
}

/* Prepares for an access by `client`: publishes its counts. A change of client begins a new moment (moment.h). */
static void serve(pid_t client) {
    struct node_file *node = pmu.view.node;
    for (int i = 0; i < NODE_SLOTS; i++)
        if (node->owner[i].pid == client)
            publish(&node->slot[i]);
    if (client == pmu.view.client)
        return;
    pmu.view.client = client;
    moment_ends(&moment);
    moment.of_others = 1;
}

/* Of a two-socket Haswell-EP: where LIKWID looks for its boxes (perfmon_haswellEP_counters.h). */
static const struct {
    const char *place, *device;
    uint32_t instance;
} boxes[] = {{"12.1", "ha", 0},  {"12.5", "ha", 1},  {"14.0", "imc", 0}, {"14.1", "imc", 1},
             {"15.0", "imc", 2}, {"15.1", "imc", 3}, {"17.0", "imc", 4}, {"17.1", "imc", 5},
             {"18.0", "imc", 6}, {"18.1", "imc", 7}, {"08.2", "qpi", 0}, {"09.2", "qpi", 1}};
/* By this list LIKWID finds the sockets' buses. */
static const char devices[] = "7f91\t80862f30\nff91\t80862f30\n";

/* Registers of a file: those of core `unit`, or if `device` is not 0, those of socket `unit`'s device. */
struct registers {
    int32_t device;
    uint32_t unit;
};

static int find_box(const char *path, struct registers *out) {
    unsigned bus;
    char place[8];
    if (sscanf(path, "/pci/%x/%7s", &bus, place) != 2 || (bus != 0x7f && bus != 0xff))
        return 0;
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
        if (strcmp(boxes[i].place, place) == 0)
            *out = (struct registers){
                table_device(pmu.table, boxes[i].device, pmu.view.node->likwid_version, boxes[i].instance),
                bus == 0xff};
    return out->device > 0;
}

/* Whether "/N/msr" or "/pci/BUS/BOX" is on the node. */
static int find(const char *path, struct registers *out) {
    char name[8];
    *out = (struct registers){0};
    int is_core = sscanf(path, "/%u/%7s", &out->unit, name) == 2 && strcmp(name, "msr") == 0;
    return (is_core || find_box(path, out)) && pmu_check(&pmu, out->device, out->unit) == PMU_OK;
}

/* Any other path but the list is a folder, so that it can be walked through; a file system without a listing. */
static int get_attributes(const char *path, struct stat *out, struct fuse_file_info *file) {
    (void)file;
    struct registers of;
    int is_list = strcmp(path, "/pci/devices") == 0, is_file = is_list || find(path, &of);
    if (!is_file && (strchr(path, '.') != NULL || strstr(path, "msr") != NULL))
        return -ENOENT;
    *out = (struct stat){.st_mode = is_file ? S_IFREG | 0600 : S_IFDIR | 0755, .st_nlink = 1};
    out->st_size = is_list ? sizeof devices - 1 : 0;
    return 0;
}

/* The kernel keeps nothing, and reads and writes anywhere. */
static int open_registers(const char *path, struct fuse_file_info *file) {
    (void)path;
    file->direct_io = 1;
    return 0;
}

static int answer(enum pmu_answer what, size_t size) {
    return what == PMU_OK ? (int)size : what == PMU_RESTRICTED ? -EPERM : -EIO;
}

static size_t width(const struct registers *of) {
    return of->device == 0 ? sizeof(uint64_t) : sizeof(uint32_t);
}

static int read_list(char *out, size_t size, off_t from) {
    size_t left = from < (off_t)sizeof devices - 1 ? sizeof devices - 1 - (size_t)from : 0;
    size = size < left ? size : left;
    memcpy(out, devices + from, size);
    return (int)size;
}

static int read_register(const char *path, char *out, size_t size, off_t reg, struct fuse_file_info *file) {
    (void)file;
    struct registers of;
    uint64_t data = 0;
    if (!find(path, &of))
        return read_list(out, size, reg);
    if (size != width(&of))
        return -EINVAL;
    serve(caller());
    enum pmu_answer what = pmu_read(&pmu, of.device, of.unit, (uint32_t)reg, &data);
    memcpy(out, &data, size);
    return answer(what, size);
}

static int write_register(const char *path, const char *in, size_t size, off_t reg, struct fuse_file_info *file) {
    (void)file;
    struct registers of;
    uint64_t data = 0;
    if (!find(path, &of) || size != width(&of))
        return -EINVAL;
    memcpy(&data, in, size);
    serve(caller());
    enum pmu_answer what =
        (unsigned long)reg == refused ? PMU_RESTRICTED : pmu_write(&pmu, of.device, of.unit, (uint32_t)reg, data);
    return answer(what, size);
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
