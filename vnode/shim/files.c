/* files.c - the node's topology where LIKWID up to 5.3 looks for it. A readable likwid.cfg would make it ignore the
 * topology file, so there is none on the node. And likwid-perfctr's marker files: in /tmp their names can be foreseen,
 * and whoever puts a link there has the measured program write elsewhere; in the node's folder nobody can.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "shim.h"

#define MARKER_FOLDER "/tmp/"
#define MARKER_FILE MARKER_FOLDER "likwid_"

struct path {
    char text[4200];
};

static int ends_with(const char *path, const char *end) {
    size_t length = strlen(path), tail = strlen(end);
    return length >= tail && strcmp(path + length - tail, end) == 0;
}

/* The file that is meant by a path; `buffer` may hold the answer. */
static const char *redirect(const char *path, struct path *buffer) {
    const char *name = NULL;
    if (!path || !shim()->active)
        return path;
    if (ends_with(path, "/etc/likwid_topo.cfg"))
        name = "likwid_topo.cfg";
    else if (ends_with(path, "/etc/likwid.cfg"))
        name = "no-likwid.cfg";
    else if (strncmp(path, MARKER_FILE, strlen(MARKER_FILE)) == 0)
        name = path + strlen(MARKER_FOLDER);
    else
        return path;
    snprintf(buffer->text, sizeof buffer->text, "%s/%s", shim()->folder, name);
    return buffer->text;
}

int access(const char *path, int mode) {
    struct path buffer;
    return REAL(access)(redirect(path, &buffer), mode);
}

FILE *fopen(const char *path, const char *mode) {
    struct path buffer;
    return REAL(fopen)(redirect(path, &buffer), mode);
}

FILE *fopen64(const char *path, const char *mode) {
    struct path buffer;
    return REAL(fopen64)(redirect(path, &buffer), mode);
}

int remove(const char *path) {
    struct path buffer;
    return REAL(remove)(redirect(path, &buffer));
}
