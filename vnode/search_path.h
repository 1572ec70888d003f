/* search_path.h - the candidate files for a name in a search path such as PATH, in the order of execvp(). */
#ifndef ASSAY_SEARCH_PATH_H
#define ASSAY_SEARCH_PATH_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Stores FOLDER/NAME in `file` for the first folder of `path`; an empty one is the current folder. Returns the rest of
 * `path`, NULL after its last folder. If FOLDER/NAME needs more than `size` bytes, `file` becomes "", which names no
 * file. */
static inline const char *search_path_take(const char *path, const char *name, char *file, size_t size) {
    int length = (int)strcspn(path, ":");
    int needed = snprintf(file, size, "%.*s/%s", length > 0 ? length : 1, length > 0 ? path : ".", name);
    if (needed < 0 || (size_t)needed >= size)
        file[0] = '\0';
    return path[length] == ':' ? path + length + 1 : NULL;
}

#endif
