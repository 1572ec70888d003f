/* perf_files.c - the node's files for perf_event, in Linux' formats (Documentation/ABI/testing/
 * sysfs-bus-event_source-devices-format, -events and -caps).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "perf_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include "tree.h"

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

/* The software PMU exists on every kernel. */
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

int perf_files_write(const struct pmu_table *table, const char *folder) {
    struct tree tree = {open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0};
    if (tree.root < 0)
        return -1;
    write_device(&tree, "cpu", PERF_TYPE_RAW);
    write_device(&tree, "software", PERF_TYPE_SOFTWARE);
    write_format(&tree, table);
    write_events(&tree, table);
    tree_line(&tree, CPU_FOLDER "/rdpmc", "0");
    tree_line(&tree, CPU_FOLDER "/caps/max_precise", "0"); /* no sampling */
    tree_line(&tree, "proc/sys/kernel/perf_event_paranoid", "2");
    tree_line(&tree, "proc/sys/kernel/nmi_watchdog", "0");
    close(tree.root);
    errno = tree.error;
    return tree.error ? -1 : 0;
}
