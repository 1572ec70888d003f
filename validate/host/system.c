/* system.c - kernel and microcode. SPDX-License-Identifier: GPL-3.0-or-later */
#include "system.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

json_t *system_kernel(void) {
    struct utsname found;
    return uname(&found) == 0 ? json_string(found.release) : json_null();
}

json_t *system_microcode(void) {
    char line[4096], revision[64];
    json_t *found = NULL;
    FILE *stream = fopen("/proc/cpuinfo", "r");
    while (stream != NULL && found == NULL && fgets(line, sizeof line, stream) != NULL) {
        if (sscanf(line, "microcode : %63s", revision) == 1)
            found = json_string(revision);
    }
    if (stream != NULL)
        fclose(stream);
    return found != NULL ? found : json_null();
}
