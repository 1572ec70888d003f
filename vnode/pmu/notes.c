/* notes.c - records counters programmed for something not modelled.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "notes.h"

#include <stdio.h>
#include <string.h>
#include <sys/file.h>

/* Adds a line to a file unless it is there. */
static void add_line(const char *path, const char *line) {
    char old[256];
    int known = 0;
    FILE *file = fopen(path, "a+e");
    if (!file)
        return;
    flock(fileno(file), LOCK_EX);
    rewind(file);
    while (!known && fgets(old, sizeof old, file))
        known = strcmp(old, line) == 0;
    if (!known)
        fputs(line, file);
    fclose(file);
}

void note_not_counted(const char *folder, int client, const char *counter, uint64_t select, const char *reason) {
    char path[4200], line[256];
    snprintf(line, sizeof line, "%s 0x%02x:0x%02x %s\n", counter, (unsigned)(select & 0xff),
             (unsigned)(select >> 8 & 0xff), reason);
    snprintf(path, sizeof path, "%s/%s", folder, NOTES_FILE_NAME);
    add_line(path, line);
    snprintf(path, sizeof path, CLIENT_NOTES, folder, client);
    add_line(path, line);
}
