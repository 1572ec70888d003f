/* search_path.h - the files that a name may mean in a search path such as PATH, as execvp() tries them. */
#ifndef ASSAY_SEARCH_PATH_H
#define ASSAY_SEARCH_PATH_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Stores PART/NAME for the first part of `path`; an empty part is the current folder. Returns the path's rest, NULL
 * after its last part. A file longer than `size` is stored as "", which no file is. */
static inline const char *search_path_take(const char *path, const char *name, char *file, size_t size) {
    int length = (int)strcspn(path, ":");
    int needed = snprintf(file, size, "%.*s/%s", length > 0 ? length : 1, length > 0 ? path : ".", name);
    if (needed < 0 || (size_t)needed >= size)
        file[0] = '\0';
    return path[length] == ':' ? path + length + 1 : NULL;
}

#endif
