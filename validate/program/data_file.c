/* data_file.c - data files with their names. SPDX-License-Identifier: GPL-3.0-or-later */
#include "data_file.h"

#include <limits.h>
#include <unistd.h>

#include "validate/host/plain_json.h"

static int add(json_t *files, const char *file, const char *name, int is_shipped, struct error *error) {
    json_t *read = json_file(file, error);
    return read == NULL ? -1
                        : json_array_append_new(files, json_pack("{s:o, s:o, s:b}", "text", read, "file",
                                                                 plain_name(name), "is_shipped", is_shipped));
}

int data_file_add(json_t *files, const char *file, const char *name, struct error *error) {
    return add(files, file, name, 0, error);
}

int data_file_add_own(json_t *files, const struct paths *paths, const char *name, int may_lack, struct error *error) {
    char file[PATH_MAX];
    if (paths_join(file, paths->data, name, error) != 0)
        return -1;
    return may_lack && access(file, F_OK) != 0 ? 0 : add(files, file, name, 1, error);
}
