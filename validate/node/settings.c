/* settings.c - reads settings of /proc and /sys. SPDX-License-Identifier: GPL-3.0-or-later */
#include "settings.h"

#include <hwloc.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "validate/host/system.h"

/* A file whose first word is a setting. It is bad if the word is `bad`, or is not `good`. */
struct setting {
    const char *subject, *file, *good, *bad;
    enum finding_state state; /* of a bad setting */
    int blocks_amd;           /* on AMD it blocks */
    const char *text;         /* about a bad setting; %s is its word */
    const char *fine, *remedy;
    int is_optional; /* not every kernel has the file */
};

static const struct setting settings[] = {
    {.subject = "lockdown",
     .file = "sys/kernel/security/lockdown",
     .good = "[none]",
     .state = FINDING_BLOCKS,
     .text = "the kernel is locked down: it refuses writes to counter registers",
     .fine = "the kernel is not locked down",
     .remedy = "turn off secure boot in the firmware, or remove lockdown= from the kernel's command line",
     .is_optional = 1},
    {.subject = "register writes",
     .file = "sys/module/msr/parameters/allow_writes",
     .bad = "off",
     .state = FINDING_BLOCKS,
     .text = "the msr module refuses writes to registers (allow_writes is %s)",
     .fine = "the msr module allows writes to registers",
     .remedy = "echo on > /sys/module/msr/parameters/allow_writes (as root)",
     .is_optional = 1},
    /* perf counts cycles on a fixed counter of Intel, and on AMD on the first counter, which every group needs. */
    {.subject = "watchdog",
     .file = SETTINGS_WATCHDOG,
     .bad = "1",
     .state = FINDING_NOTE,
     .blocks_amd = 1,
     .text = "the NMI watchdog occupies a counter",
     .fine = "the NMI watchdog is off",
     .remedy = "sysctl kernel.nmi_watchdog=0 while measuring (as root)"},
    {.subject = "NUMA balancing",
     .file = SETTINGS_NUMA_BALANCING,
     .good = "0",
     .state = FINDING_NOTE,
     .text = "the kernel moves pages between memory domains",
     .fine = "the kernel leaves pages where they are",
     .remedy = "sysctl kernel.numa_balancing=0 while measuring (as root)",
     .is_optional = 1},
    {.subject = "frequency",
     .file = SETTINGS_GOVERNOR,
     .good = "performance",
     .state = FINDING_NOTE,
     .text = "governor %s: cycle counts vary, volumes do not",
     .fine = "governor performance",
     .remedy = "likwid-setFrequencies -g performance (as root)"},
    {.subject = "turbo",
     .file = SETTINGS_NO_TURBO,
     .bad = "0",
     .state = FINDING_NOTE,
     .text = "turbo is on: times vary, volumes do not",
     .fine = "turbo is off",
     .remedy = "echo 1 > /" SETTINGS_NO_TURBO " (as root)",
     .is_optional = 1},
    {.subject = "turbo",
     .file = SETTINGS_BOOST,
     .bad = "1",
     .state = FINDING_NOTE,
     .text = "turbo is on: times vary, volumes do not",
     .fine = "turbo is off",
     .remedy = "echo 0 > /" SETTINGS_BOOST " (as root)",
     .is_optional = 1},
};

static FILE *open_below(const char *root, const char *file) {
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/%s", root, file) < (int)sizeof path ? fopen(path, "re") : NULL;
}

/* Stores the text after `key` at the start of a line, up to the line's end. 0, or -1 if there is none. */
static int read_line(const char *root, const char *file, const char *key, char text[256]) {
    char line[4096];
    int found = 0;
    FILE *stream = open_below(root, file);
    while (stream != NULL && !found && fgets(line, sizeof line, stream) != NULL)
        found = strncmp(line, key, strlen(key)) == 0;
    if (stream != NULL)
        fclose(stream);
    if (!found)
        return -1;
    const char *value = line + strlen(key) + strspn(line + strlen(key), " \t:");
    snprintf(text, 256, "%.*s", (int)strcspn(value, "\n"), value);
    return 0;
}

static int is_amd(const char *root) {
    char vendor[256];
    return read_line(root, "proc/cpuinfo", "vendor_id", vendor) == 0 &&
           (strcmp(vendor, "AuthenticAMD") == 0 || strcmp(vendor, "HygonGenuine") == 0);
}

/* Whether there is something to say. */
static int examine_setting(const char *root, const struct setting *setting, struct finding *finding) {
    char path[PATH_MAX], word[64];
    snprintf(path, sizeof path, "%s/%s", root, setting->file);
    finding->subject = setting->subject;
    if (system_word(path, word) != 0) {
        finding_set(finding, FINDING_OK, "", "unknown: /%s cannot be read", setting->file);
        return !setting->is_optional || access(path, F_OK) == 0;
    }
    if (setting->bad != NULL ? strcmp(word, setting->bad) != 0 : strcmp(word, setting->good) == 0)
        finding_set(finding, FINDING_OK, "", "%s", setting->fine);
    else
        finding_set(finding, setting->blocks_amd && is_amd(root) ? FINDING_BLOCKS : setting->state, setting->remedy,
                    setting->text, word);
    return 1;
}

static int examine_load(const char *root, struct finding *finding) {
    double load = 0;
    FILE *stream = open_below(root, "proc/loadavg");
    int found = stream != NULL && fscanf(stream, "%lf", &load) == 1;
    if (stream != NULL)
        fclose(stream);
    finding->subject = "load";
    if (found && load >= 1)
        finding_set(finding, FINDING_NOTE, "end other work and wait a minute, or reserve the whole node (--exclusive)",
                    "%.1f processes ran in the last minute: they share caches and memory", load);
    else
        finding_set(finding, FINDING_OK, "", "nothing else runs");
    return found;
}

/* Whether all CPUs of the list `part` are in the list `whole`, which may have CPUs that are not there. */
static int is_part_of(const char *part, const char *whole) {
    hwloc_bitmap_t inner = hwloc_bitmap_alloc(), outer = hwloc_bitmap_alloc();
    int found = hwloc_bitmap_list_sscanf(inner, part) == 0 && hwloc_bitmap_list_sscanf(outer, whole) == 0 &&
                hwloc_bitmap_isincluded(inner, outer);
    hwloc_bitmap_free(inner);
    hwloc_bitmap_free(outer);
    return found;
}

static int examine_cpuset(const char *root, struct finding *finding) {
    char mine[256], all[256];
    finding->subject = "cpuset";
    if (read_line(root, "proc/self/status", "Cpus_allowed_list", mine) != 0 ||
        read_line(root, "sys/devices/system/cpu/online", "", all) != 0)
        return 0;
    if (!is_part_of("0", all)) /* seen with 5.2.2 and 5.4.1: likwid-pin takes numbers of CPUs for indices */
        finding_set(finding, FINDING_BLOCKS, "echo 1 > /sys/devices/system/cpu/cpu0/online (as root)",
                    "CPU 0 is offline, with which LIKWID crashes");
    else if (is_part_of(all, mine))
        finding_set(finding, FINDING_OK, "", "all CPUs may be used: %s", all);
    else
        finding_set(finding, FINDING_NOTE, "reserve the whole node (--exclusive), or leave the cpuset",
                    "only CPUs %.60s of %.60s may be used: the others are not measured", mine, all);
    return 1;
}

static int examine_namespace(const char *root, struct finding *finding) {
    unsigned long long inside, outside, count;
    FILE *stream = open_below(root, "proc/self/uid_map");
    int found = stream != NULL; /* and empty: no user is mapped yet */
    int is_mapped = found && fscanf(stream, "%llu %llu %llu", &inside, &outside, &count) == 3;
    if (stream != NULL)
        fclose(stream);
    finding->subject = "user namespace";
    if (found && (!is_mapped || inside != 0 || outside != 0 || count != UINT_MAX))
        finding_set(finding, FINDING_BLOCKS,
                    "run outside of it, or in a container that root has started (docker run --privileged)",
                    "this is a user namespace, in which not even root may touch the registers");
    else
        finding_set(finding, FINDING_OK, "", "none");
    return found;
}

int settings_is_container(const char *root) {
    static const char *const marks[] = {".dockerenv", "run/.containerenv", ".singularity.d"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (snprintf(path, sizeof path, "%s/%s", root, marks[i]) < (int)sizeof path && access(path, F_OK) == 0)
            return 1;
    }
    return 0;
}

size_t settings_examine(const char *root, struct finding findings[], size_t room) {
    static int (*const others[])(const char *, struct finding *) = {examine_namespace, examine_cpuset, examine_load};
    size_t count = 0;
    for (size_t i = 0; i < sizeof settings / sizeof *settings && count < room; i++)
        count += (size_t)examine_setting(root, &settings[i], &findings[count]);
    for (size_t i = 0; i < sizeof others / sizeof *others && count < room; i++)
        count += (size_t)others[i](root, &findings[count]);
    return count;
}
