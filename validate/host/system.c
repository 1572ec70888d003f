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

int system_number(const char *file) {
    FILE *stream = fopen(file, "r");
    int value = -1;
    if (stream == NULL)
        return -1;
    if (fscanf(stream, "%d", &value) != 1)
        value = -1;
    fclose(stream);
    return value;
}

int system_word(const char *file, char word[64]) {
    FILE *stream = fopen(file, "r");
    if (stream == NULL)
        return -1;
    int found = fscanf(stream, "%63s", word);
    fclose(stream);
    return found == 1 ? 0 : -1;
}
