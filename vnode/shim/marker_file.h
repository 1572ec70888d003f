/* marker_file.h - the file that LIKWID's Marker API writes for likwid-perfctr.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_MARKER_FILE_H
#define ASSAY_SHIM_MARKER_FILE_H

#include <string.h>

#define MARKER_FOLDER "/tmp"

/* The file's name if `path` is in LIKWID's folder (any number of slashes after it), else NULL. */
static inline const char *marker_file_name(const char *path) {
    static const char folder[] = MARKER_FOLDER "/", begin[] = "likwid_";
    if (strncmp(path, folder, sizeof folder - 1) != 0)
        return NULL;
    const char *name = path + sizeof folder - 1;
    while (*name == '/')
        name++;
    return strncmp(name, begin, sizeof begin - 1) == 0 ? name : NULL;
}

#endif
