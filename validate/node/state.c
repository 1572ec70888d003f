/* state.c - reads /proc, /sys and LIKWID's list of prefetchers. SPDX-License-Identifier: GPL-3.0-or-later */
#include "state.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "settings.h"
#include "validate/host/system.h"

static json_t *text_or_null(const char *text) {
    json_t *value = text != NULL ? json_string(text) : NULL;
    return value != NULL ? value : json_null();
}

/* "key : NUMBER" of /proc/cpuinfo's first processor. */
static json_t *cpuinfo_number(const char *root, const char *key) {
    char file[PATH_MAX], name[64], line[4096];
    int number, found = 0;
    snprintf(file, sizeof file, "%s/proc/cpuinfo", root);
    FILE *stream = fopen(file, "re");
    while (stream != NULL && !found && fgets(line, sizeof line, stream) != NULL)
        found = sscanf(line, "%63[^:\t]%*[ \t]: %d", name, &number) == 2 && strcmp(name, key) == 0;
    if (stream != NULL)
        fclose(stream);
    return found ? json_integer(number) : json_null();
}

json_t *state_prefetchers(const char *features) {
    static const char kind[] = "PREFETCHER";
    char *copy = strdup(features), *rest = NULL, found[512] = "";
    size_t used = 0;
    for (char *line = copy != NULL ? strtok_r(copy, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
        char name[64], value[32];
        if (sscanf(line, "%63s %31s", name, value) != 2 || strlen(name) < strlen(kind) ||
            strcmp(name + strlen(name) - strlen(kind), kind) != 0 || used >= sizeof found)
            continue;
        used += (size_t)snprintf(found + used, sizeof found - used, "%s%s %s", used > 0 ? ", " : "", name, value);
    }
    free(copy);
    return used > 0 && used < sizeof found ? json_string(found) : json_null();
}

static json_t *read_prefetchers(const struct likwid *likwid, const json_t *description) {
    (void)description;
    char *features = likwid_features(likwid);
    json_t *found = features != NULL ? state_prefetchers(features) : json_null();
    free(features);
    return found;
}

static json_t *read_host_name(const struct likwid *likwid, const json_t *description) {
    (void)likwid, (void)description;
    char name[256] = "";
    return gethostname(name, sizeof name - 1) == 0 ? text_or_null(name) : json_null();
}

static json_t *read_governor(const struct likwid *likwid, const json_t *description) {
    (void)likwid, (void)description;
    char word[64];
    return system_word("/" SETTINGS_GOVERNOR, word) == 0 ? text_or_null(word) : json_null();
}

/* Whether the number in a file is `on`; null if there is none. */
static json_t *read_switch(const char *file, int on) {
    int number = system_number(file);
    return number >= 0 ? json_boolean(number == on) : json_null();
}

static json_t *read_watchdog(const struct likwid *likwid, const json_t *description) {
    (void)likwid, (void)description;
    return read_switch("/" SETTINGS_WATCHDOG, 1);
}

static json_t *read_turbo(const struct likwid *likwid, const json_t *description) {
    (void)likwid, (void)description;
    static const char without[] = "/" SETTINGS_NO_TURBO;
    return system_number(without) >= 0 ? read_switch(without, 0) : read_switch("/" SETTINGS_BOOST, 1);
}

static json_t *read_numa_balancing(const struct likwid *likwid, const json_t *description) {
    (void)likwid, (void)description;
    int mode = system_number("/" SETTINGS_NUMA_BALANCING); /* bit 0: balancing, bit 1: tiers; both move pages */
    return mode >= 0 ? json_boolean(mode > 0) : json_null();
}

static json_t *read_cpuset(const struct likwid *likwid, const json_t *description) {
    (void)likwid;
    int is_part = json_array_size(json_object_get(description, "left_out")) > 0;
    return is_part ? json_incref(json_object_get(description, "usable")) : json_null();
}

/* State of this machine; null on a virtual node, which it does not affect. */
static const struct {
    const char *key;
    json_t *(*read)(const struct likwid *likwid, const json_t *description);
} native_state[] = {{"hostname", read_host_name}, {"prefetchers", read_prefetchers},
                    {"governor", read_governor},  {"watchdog", read_watchdog},
                    {"turbo", read_turbo},        {"numa_balancing", read_numa_balancing},
                    {"cpuset", read_cpuset}};

json_t *state_read(const char *root, const struct likwid *likwid, const json_t *description) {
    json_int_t sockets = json_integer_value(json_object_get(description, "sockets")),
               domains = json_integer_value(json_object_get(description, "numa_domains"));
    json_t *state = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:O}", "family", cpuinfo_number(root, "cpu family"), "model",
        cpuinfo_number(root, "model"), "stepping", cpuinfo_number(root, "stepping"), "numa_per_socket",
        sockets > 0 && domains > 0 && domains % sockets == 0 ? json_integer(domains / sockets) : json_null(), "access",
        text_or_null(likwid != NULL && likwid->interface == NULL && likwid->mode[0] != '\0' ? likwid->mode : NULL),
        "large_pages", json_object_get(description, "large_pages"));
    for (size_t i = 0; i < sizeof native_state / sizeof *native_state; i++)
        json_object_set_new(state, native_state[i].key,
                            likwid != NULL ? native_state[i].read(likwid, description) : json_null());
    return state;
}
