/* perf_files.c - the node's files for perf_event, in Linux' formats (Documentation/ABI/testing/
 * sysfs-bus-event_source-devices-format, -events and -caps).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "perf_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>

#include "tree.h"
#include "vnode/node_file.h"
#include "vnode/pmu/box_use.h"

#define CPU_FOLDER "sys/devices/cpu"

static void write_format(struct tree *tree, const struct pmu_table *table) {
    int is_intel = table->core.kind == CORE_INTEL;
    tree_line(tree, CPU_FOLDER "/format/event", "%s", is_intel ? "config:0-7" : "config:0-7,32-35");
    tree_line(tree, CPU_FOLDER "/format/umask", "config:8-15");
    tree_line(tree, CPU_FOLDER "/format/edge", "config:18");
    tree_line(tree, CPU_FOLDER "/format/inv", "config:23");
    tree_line(tree, CPU_FOLDER "/format/cmask", "config:24-31");
    if (table->responses)
        tree_line(tree, CPU_FOLDER "/format/offcore_rsp", "config1:0-63");
}

/* Aliases of the events that do not concern caches. */
static void write_events(struct tree *tree, const struct pmu_table *table) {
    for (uint32_t i = 0; i < table->generics; i++) {
        const struct table_generic *generic = &table->generic[i];
        struct selection s = select_decode(SELECT_CORE_INTEL, generic->select);
        char path[96];
        snprintf(path, sizeof path, CPU_FOLDER "/events/%s", generic->name);
        if (generic->type == PERF_TYPE_HARDWARE)
            tree_line(tree, path, "event=0x%02" PRIx32 ",umask=0x%02" PRIx32, s.code, s.umask);
    }
}

static void write_device(struct tree *tree, const char *name, uint32_t type) {
    char path[96], target[96];
    snprintf(path, sizeof path, "sys/devices/%s/type", name);
    tree_line(tree, path, "%" PRIu32, type);
    snprintf(path, sizeof path, "sys/devices/%s/perf_event_mux_interval_ms", name);
    tree_line(tree, path, "4");
    snprintf(path, sizeof path, "sys/bus/event_source/devices/%s", name);
    snprintf(target, sizeof target, "../../../devices/%s", name);
    tree_link(tree, path, target);
}

/* ---- boxes ---- */

static void box_line(struct tree *tree, const char *name, const char *file, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "sys/devices/%s/%s", name, file);
    tree_line(tree, path, "%s", text);
}

static void write_filter(struct tree *tree, const char *name, const char *file, int filter, uint32_t bit,
                         uint32_t bits) {
    char text[32];
    uint32_t first = 32 * (uint32_t)filter + bit;
    snprintf(text, sizeof text, "config1:%" PRIu32 "-%" PRIu32, first, first + bits - 1);
    if (filter == 0 || filter == 1)
        box_line(tree, name, file, text);
}

/* Fields of the selects (vnode/pmu/select.c) and filters of a box. Linux has the first two filters in config1, 32 bits
 * each. */
static void write_box_format(struct tree *tree, const char *name, const struct box_layout *box) {
    static const struct {
        const char *event, *umask, *threshold;
    } fields[SELECT_LAYOUTS] = {[SELECT_BOX_INTEL] = {"config:0-7", "config:8-15", "config:24-31"},
                                [SELECT_BOX_WIDE] = {"config:0-7", "config:8-15,32-55", "config:24-31"},
                                [SELECT_BOX_FOUND] = {"config:0-7", "config:8-15,32-55", "config:24-31"},
                                [SELECT_BOX_L3] = {"config:0-7", "config:8-15", NULL},
                                [SELECT_BOX_FABRIC] = {"config:0-7,32-35,59-60", "config:8-15", NULL},
                                [SELECT_BOX_FABRIC12] = {"config:0-7,32-37", "config:8-15,24-27", NULL},
                                [SELECT_BOX_UMC] = {"config:0-7", "config:8-15", NULL}};
    box_line(tree, name, "format/event", fields[box->layout].event);
    box_line(tree, name, "format/umask", fields[box->layout].umask);
    if (fields[box->layout].threshold)
        box_line(tree, name, "format/thresh", fields[box->layout].threshold);
    if (box->states_filter < BOX_FILTERS)
        write_filter(tree, name, "format/filter_state", box->states_filter, box->states_bit, box->states);
    write_filter(tree, name, "format/filter_opc", box->opcode_filter, box->opcode_bit, box->opcode_bits);
}

static void write_aliases(struct tree *tree, const char *name, const struct table_driver *driver) {
    for (uint32_t i = 0; i < driver->aliases; i++) {
        char file[64], text[64];
        uint64_t select = driver->alias[i].select;
        snprintf(file, sizeof file, "events/%s", driver->alias[i].name);
        snprintf(text, sizeof text, "event=0x%02x,umask=0x%02x", (unsigned)(select & 0xff), (unsigned)(select >> 8));
        box_line(tree, name, file, text);
        snprintf(file, sizeof file, "events/%s.scale", driver->alias[i].name);
        box_line(tree, name, file, "6.103515625e-5"); /* 64 / 2^20 */
        snprintf(file, sizeof file, "events/%s.unit", driver->alias[i].name);
        box_line(tree, name, file, "MiB");
    }
}

/* The first CPU of each socket, or of each last-level domain, reads its boxes. */
static void write_mask(struct tree *tree, const char *name, const struct box_layout *box,
                       const struct sim_config *config) {
    char text[256] = "";
    uint32_t last = UINT32_MAX;
    for (uint32_t cpu = 0; cpu < sim_cores(config); cpu++) {
        uint32_t place = box->scope == SCOPE_DOMAIN ? sim_domain_of(config, cpu) : sim_socket_of(config, cpu);
        size_t used = strlen(text);
        if (place != last)
            snprintf(text + used, sizeof text - used, used ? ",%" PRIu32 : "%" PRIu32, cpu);
        last = place;
    }
    box_line(tree, name, "cpumask", text);
}

static void write_boxes(struct tree *tree, const struct pmu_table *table, const struct sim_config *config) {
    uint32_t type = DRIVER_TYPE;
    for (uint32_t i = 0; i < table->drivers; i++) {
        const struct table_driver *driver = &table->driver[i];
        const struct box_layout *box = &table->box[driver->box];
        uint32_t instances = box_instances(box, config);
        for (uint32_t n = 0; n < instances; n++) {
            char name[40];
            snprintf(name, sizeof name, instances > 1 ? "%s_%" PRIu32 : "%s", driver->name, n);
            write_device(tree, name, type++);
            write_box_format(tree, name, box);
            write_aliases(tree, name, driver);
            write_mask(tree, name, box, config);
        }
    }
}

static void write_devices(struct tree *tree, const struct pmu_table *table, const struct sim_config *config) {
    write_device(tree, "cpu", PERF_TYPE_RAW);
    write_device(tree, "software", PERF_TYPE_SOFTWARE);
    write_format(tree, table);
    write_events(tree, table);
    write_boxes(tree, table, config);
    tree_line(tree, CPU_FOLDER "/rdpmc", "1"); /* of events that are mapped */
    tree_line(tree, CPU_FOLDER "/caps/max_precise", table->core.kind == CORE_INTEL ? "3" : "0");
}

int perf_files_write(const struct pmu_table *table, const struct sim_config *config, int paranoid, int devices,
                     const char *folder) {
    struct tree tree = {open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0};
    if (tree.root < 0)
        return -1;
    if (devices)
        write_devices(&tree, table, config);
    tree_line(&tree, "proc/sys/kernel/perf_event_paranoid", "%d", paranoid == PERF_PARANOID_CPUS ? 2 : paranoid);
    tree_line(&tree, "proc/sys/kernel/nmi_watchdog", "0");
    close(tree.root);
    errno = tree.error;
    return tree.error ? -1 : 0;
}
