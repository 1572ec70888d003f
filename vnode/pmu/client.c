/* client.c - what a daemon, started with an empty environment, reads from its parent process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int client_variable(pid_t process, const char *name, char *out, size_t size) {
    char path[64], *entry = NULL;
    size_t room = 0, length = strlen(name);
    int found = -1;
    snprintf(path, sizeof path, "/proc/%d/environ", (int)process);
    FILE *file = fopen(path, "re");
    while (file && found != 0 && getdelim(&entry, &room, '\0', file) > 0)
        if (strncmp(entry, name, length) == 0 && entry[length] == '=' && strlen(entry + length + 1) < size) {
            strcpy(out, entry + length + 1);
            found = 0;
        }
    free(entry);
    if (file)
        fclose(file);
    return found;
}

/* State and parent of a process. 0, or -1: no such process. */
static int read_stat(pid_t process, char *state, int *parent) {
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "re");
    if (!file)
        return -1;
    /* the name, in parentheses, may contain anything: continue after the last one */
    const char *end = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    int found = end ? sscanf(end + 1, " %c %d", state, parent) : 0;
    fclose(file);
    return found == 2 ? 0 : -1;
}

static pid_t parent_of(pid_t process) {
    char state;
    int parent;
    return read_stat(process, &state, &parent) == 0 ? parent : 0;
}

int client_sleeps(pid_t process) {
    char state;
    int parent;
    return read_stat(process, &state, &parent) == 0 && state == 'S';
}

pid_t client_member(pid_t process, const char *name, char *out, size_t size) {
    while (process > 1 && client_variable(process, name, out, size) != 0)
        process = parent_of(process);
    return process > 1 ? process : 0;
}
