/* likwid_version.c - the version of the installed LIKWID.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "likwid_version.h"

#include <stdio.h>
#include <string.h>

uint32_t likwid_version_number(const char *text) {
    unsigned major, minor, patch = 0;
    if (sscanf(text, "%u.%u.%u", &major, &minor, &patch) < 2 || minor > 99 || patch > 99)
        return 0;
    return major * 10000 + minor * 100 + patch;
}

uint32_t likwid_version_of(const char *text) {
    static const char before[] = "Version ";
    const char *at = strstr(text, before);
    return at ? likwid_version_number(at + strlen(before)) : 0;
}

uint32_t likwid_version(void) {
    char line[512];
    uint32_t version = 0;
    FILE *pipe = popen("LIKWID_NO_ACCESS=1 likwid-perfctr --version 2>/dev/null", "re");
    while (pipe && fgets(line, sizeof line, pipe))
        version = version ? version : likwid_version_of(line);
    if (pipe)
        pclose(pipe);
    return version;
}
