/* place.c - cores and memory policy of a node's process: the engine has those of simulated processes, this file those
 * of native ones.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim.h"
#include "vnode/command.h"
#include "vnode/engine/requests.h"

enum { DOMAINS_MAX = 64 };

static void read_text(const char *text, struct place *out) {
    char *end;
    out->cores = strtoull(text, &end, 16) & shim()->all;
    if (*end != ',')
        return;
    out->mode = (unsigned)strtoul(end + 1, &end, 16);
    out->domains = *end == ':' ? strtoull(end + 1, NULL, 16) : 0;
}

struct place *place_native(void) {
    static __thread struct place place;
    if (!place.cores) {
        const char *given = getenv(NODE_AFFINITY_VARIABLE);
        if (given)
            read_text(given, &place);
        if (!place.cores)
            place.cores = shim()->all;
    }
    return &place;
}

static struct place simulated(void) {
    struct place place = {.cores = engine_get_affinity(0)};
    int mode = 0;
    if (syscall(SYS_get_mempolicy, &mode, &place.domains, DOMAINS_MAX + 1, NULL, 0) == 0)
        place.mode = (unsigned)mode;
    return place;
}

void shim_place(char *out, size_t size) {
    struct place place = shim()->simulated ? simulated() : *place_native();
    int used = snprintf(out, size, "%s=0x%llx", NODE_AFFINITY_VARIABLE, (unsigned long long)place.cores);
    if (place.mode && used > 0 && (size_t)used < size)
        snprintf(out + used, size - (size_t)used, ",0x%x:0x%llx", place.mode, (unsigned long long)place.domains);
}

int place_changed(void) {
    char text[PLACE_TEXT];
    shim_place(text, sizeof text);
    return setenv(NODE_AFFINITY_VARIABLE, text + sizeof NODE_AFFINITY_VARIABLE, 1);
}
