/* marker_perf.c - counters of perf_event_open(2), which count in user mode. SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "marker.h"

#define DEVICES "/sys/bus/event_source/devices/"

void marker_refuse(struct marker_source *source, const char *format, ...) {
    va_list values;
    va_start(values, format);
    if (vasprintf(&source->why, format, values) < 0)
        abort();
    va_end(values);
}

/* The first word of a file; -1 if it cannot be read. */
static int read_word(const char *path, char word[64]) {
    FILE *file = fopen(path, "re");
    int found = file != NULL && fscanf(file, "%63s", word) == 1;
    if (file != NULL)
        fclose(file);
    return found ? 0 : -1;
}

/* Puts the value's bits into the ranges of bits in "config1:0-7,32-35", the lowest first. -1: it is no such text, or
 * the ranges have fewer bits than the value. */
static int put_bits(const char *format, uint64_t value, struct perf_event_attr *attr) {
    uint64_t *word = strncmp(format, "config:", 7) == 0    ? (uint64_t *)&attr->config
                     : strncmp(format, "config1:", 8) == 0 ? (uint64_t *)&attr->config1
                     : strncmp(format, "config2:", 8) == 0 ? (uint64_t *)&attr->config2
                                                           : NULL;
    const char *range = strchr(format, ':');
    if (word == NULL || range == NULL)
        return -1;
    do {
        unsigned first, last;
        int found = sscanf(++range, "%u-%u", &first, &last);
        if (found < 1 || first > 63 || (found == 2 && (last < first || last > 63)))
            return -1;
        for (unsigned bit = first; bit <= (found == 2 ? last : first); bit++, value >>= 1)
            *word |= (value & 1) << bit;
    } while ((range = strchr(range, ',')) != NULL);
    return value == 0 ? 0 : -1;
}

static int put_field(const struct marker_counter *counter, struct marker_source *source, const char *field,
                     const char *value, struct perf_event_attr *attr) {
    char path[256], format[64];
    int is_raw = strncmp(field, "config", 6) == 0;
    snprintf(path, sizeof path, DEVICES "%s/format/%s", counter->pmu, field);
    snprintf(format, sizeof format, "%.9s:0-63", field);
    if ((is_raw || read_word(path, format) == 0) && put_bits(format, strtoull(value, NULL, 0), attr) == 0)
        return 0;
    marker_refuse(source, "the kernel's PMU %s has no field %s for %s", counter->pmu, field, value);
    return -1;
}

/* "field=value,field,...", "-", or a name of the PMU's folder events, whose file has the fields; 0, or -1 with the
 * reason. */
static int put_fields(const struct marker_counter *counter, struct marker_source *source,
                      struct perf_event_attr *attr) {
    char fields[sizeof counter->fields + 64], path[256], *rest = NULL;
    if (strcmp(counter->fields, "-") == 0)
        return 0;
    strcpy(fields, counter->fields);
    snprintf(path, sizeof path, DEVICES "%s/events/%s", counter->pmu, counter->fields);
    if (strchr(fields, '=') == NULL && read_word(path, fields) != 0) {
        marker_refuse(source, "the kernel's PMU %s has no event %s", counter->pmu, counter->fields);
        return -1;
    }
    for (char *field = strtok_r(fields, ",", &rest); field != NULL; field = strtok_r(NULL, ",", &rest)) {
        char *value = strchr(field, '=');
        if (value != NULL)
            *value++ = '\0';
        if (put_field(counter, source, field, value != NULL ? value : "1", attr) != 0)
            return -1;
    }
    return 0;
}

/* 0, or -1 with the reason. */
static int find_pmu(const struct marker_counter *counter, struct marker_source *source, struct perf_event_attr *attr) {
    char path[256], type[64];
    if (strcmp(counter->pmu, "hardware") == 0) {
        attr->type = PERF_TYPE_HARDWARE;
        return 0;
    }
    snprintf(path, sizeof path, DEVICES "%s/type", counter->pmu);
    if (read_word(path, type) != 0) {
        marker_refuse(source, "the kernel has no PMU %s; is its driver loaded (ls " DEVICES ")?", counter->pmu);
        return -1;
    }
    attr->type = (uint32_t)strtoul(type, NULL, 10);
    return 0;
}

static void refuse_open(const struct marker_counter *counter, struct marker_source *source, int why) {
    char level[64] = "unknown";
    read_word("/proc/sys/kernel/perf_event_paranoid", level);
    if (why == EACCES || why == EPERM)
        marker_refuse(source, "perf_event_open: not permitted, perf_event_paranoid is %s", level);
    else if (why == ENOENT || why == EOPNOTSUPP || why == ENODEV)
        marker_refuse(source, "perf_event_open: the kernel has no such event of PMU %s here", counter->pmu);
    else
        marker_refuse(source, "perf_event_open: %s", strerror(why));
}

static void open_event(const struct marker_counter *counter, struct marker_source *source, int cpu) {
    struct perf_event_attr attr = {.size = sizeof attr,
                                   .pinned = 1,
                                   .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING};
    int is_box = counter->cpus[0] != '*';
    attr.exclude_kernel = attr.exclude_hv = !is_box; /* boxes do not know who causes a count, and refuse these */
    if (find_pmu(counter, source, &attr) != 0 || put_fields(counter, source, &attr) != 0)
        return;
    source->handle =
        (int)syscall(SYS_perf_event_open, &attr, is_box ? -1 : 0, is_box ? cpu : -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (source->handle < 0)
        refuse_open(counter, source, errno);
}

/* The kernel ends a pinned event that gets no counter; an event of a CPU may also share its counter with others. */
static uint64_t read_event(struct marker_source *source) {
    struct {
        uint64_t value, enabled, running;
    } now;
    if (read(source->handle, &now, sizeof now) != sizeof now || now.running < now.enabled) {
        marker_refuse(source, "perf_event_open: no counter is free (NMI watchdog, another perf?)");
        return 0;
    }
    return now.value;
}

const struct marker_backend marker_perf = {open_event, read_event};
