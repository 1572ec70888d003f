/* own_groups.c - reads a user's group files. SPDX-License-Identifier: GPL-3.0-or-later */
#include "own_groups.h"

#include <limits.h>
#include <sys/stat.h>

#include "validate/host/paths.h"
#include "validate/host/plain_json.h"
#include "validate/host/text.h"

static int add_file(json_t *groups, struct script *script, const char *file, struct error *error) {
    json_t *group = script_read(script, "read:users_group", file, error);
    return group != NULL ? json_object_set_new(groups, json_word(group, "name"), group) : -1;
}

/* The same; an invalid file is added with the reason, so that the other files are still checked. */
static int add_or_refuse(json_t *groups, struct script *script, const char *file, const char *name,
                         struct error *error) {
    if (add_file(groups, script, file, error) == 0)
        return 0;
    json_t *refused = json_pack("{s:s, s:s}", "name", name, "refused", error->text);
    return refused != NULL ? json_object_set_new(groups, name, refused) : -1;
}

static int add_folder(json_t *groups, struct script *script, const char *folder, struct error *error) {
    char **names = text_names(folder, ".txt", error);
    if (names == NULL)
        return -1;
    int status = names[0] != NULL ? 0 : error_set(error, "%.200s: no group file in it; they end in .txt", folder);
    for (char **name = names; status == 0 && *name != NULL; name++) {
        char file[PATH_MAX];
        status = paths_format(file, error, "%s/%s.txt", folder, *name);
        if (status == 0)
            status = add_or_refuse(groups, script, file, *name, error);
    }
    text_free_names(names);
    return status;
}

json_t *own_groups_read(struct script *script, const char *path, struct error *error) {
    json_t *groups = json_object();
    if ((paths_is_folder(path) ? add_folder : add_file)(groups, script, path, error) == 0)
        return groups;
    json_decref(groups);
    return NULL;
}
