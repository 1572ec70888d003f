/* data_file.c - loads data files with their names. SPDX-License-Identifier: GPL-3.0-or-later */
#include "data_file.h"

#include <stdio.h>
#include <unistd.h>

#include "validate/host/plain_json.h"

static int add(json_t *files, const char *file, const char *name, int is_shipped, struct error *error) {
    json_t *text = json_file(file, error);
    return text == NULL ? -1
                        : json_array_append_new(files, json_pack("{s:o, s:o, s:b}", "text", text, "file",
                                                                 plain_name(name), "is_shipped", is_shipped));
}

/* Like add() for the shipped file DATA/NAME; a missing file is skipped if `may_lack`. */
static int add_shipped(json_t *files, const struct paths *paths, const char *name, int may_lack, struct error *error) {
    char file[PATH_MAX];
    if (paths_data(file, paths, name, error) != 0)
        return -1;
    return may_lack && access(file, F_OK) != 0 ? 0 : add(files, file, name, 1, error);
}

json_t *data_files(const struct program_run *m, const char *shared, const char *name, const char *own,
                   struct error *error) {
    char of_node[64];
    json_t *files = json_array();
    snprintf(of_node, sizeof of_node, "groups/%s/%s", m->v.node.arch, name);
    if ((shared == NULL || add_shipped(files, m->v.paths, shared, 0, error) == 0) &&
        add_shipped(files, m->v.paths, of_node, 1, error) == 0 && (own == NULL || add(files, own, own, 0, error) == 0))
        return files;
    json_decref(files);
    return NULL;
}
