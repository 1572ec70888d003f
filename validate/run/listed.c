/* listed.c - opens nodes on which LIKWID lists an architecture's events. SPDX-License-Identifier: GPL-3.0-or-later */
#include "listed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event_list.h"
#include "validate/host/hash.h"
#include "validate/host/plain_json.h"
#include "validate/host/text.h"
#include "validate/likwid/remembered.h"

int listed_open_node(struct validation *v, const char *node, struct error *error) {
    v->options.node = node;
    return validation_open(v, error) == 0 && validation_ready(v, error) == 0 ? 0 : -1;
}

/* The file of the node on which LIKWID lists the events of an architecture at native stage, but counts those of another
 * one. 1 if the architecture has none, -1 with the reason. */
static int find_file(const struct paths *paths, const char *arch, char file[PATH_MAX], struct error *error) {
    if (paths_arch(file, paths, arch, "listed.lua", error) != 0)
        return -1;
    return access(file, F_OK) == 0 ? 0 : 1;
}

static int open_listed(struct validation *v, const char *arch, char name[LISTED_NAME_MOST], struct error *error) {
    char file[PATH_MAX];
    int status = find_file(v->paths, arch, file, error);
    if (status != 0)
        return status;
    snprintf(name, LISTED_NAME_MOST, "virtual:%s", file);
    status = listed_open_node(v, name, error);
    snprintf(v->node.arch, sizeof v->node.arch, "%s", arch);
    return status;
}

int listed_open(struct validation *v, const char *arch, char name[LISTED_NAME_MOST], struct error *error) {
    const struct validation fresh = *v;
    int status = open_listed(v, arch, name, error);
    if (status <= 0)
        return status;
    snprintf(name, LISTED_NAME_MOST, "virtual:%s-2x2", arch);
    if (listed_open_node(v, name, error) == 0)
        return 0;
    validation_release(v);
    *v = fresh;
    snprintf(name, LISTED_NAME_MOST, "virtual:%s", arch);
    return listed_open_node(v, name, error);
}

int listed_prepare(struct validation *v, struct error *error) {
    return likwid_find(&v->likwid, v->paths, error) == 0 && node_check_mode(&v->likwid, error) == 0 &&
                   scratch_make("assay", &v->work, error->text, sizeof error->text) == 0
               ? 0
               : -1;
}

json_t *listed_ask(struct validation *v, const char *arch, struct error *error) {
    static const char *const shapes[] = {"%s-2x2", "%s"};
    char file[PATH_MAX];
    json_t *text = NULL;
    v->node = (struct node){.lock = -1, .is_virtual = 1};
    int status = find_file(v->paths, arch, file, error);
    if (status < 0)
        return NULL;
    if (status == 0 && paths_format(v->node.description_name, error, "%s", file) == 0)
        return event_list_ask(v, error);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0] && text == NULL; i++) {
        snprintf(v->node.description_name, sizeof v->node.description_name, shapes[i], arch);
        text = event_list_ask(v, error);
    }
    return text;
}

static void print_identities(FILE *out, const char *folder, const char *pattern) {
    char file[PATH_MAX];
    struct error none;
    char **names = text_match(folder, pattern, &none);
    for (char **name = names; name != NULL && *name != NULL; name++)
        if (paths_join(file, folder, *name, &none) == 0)
            remembered_identity(out, file);
    text_free_names(names);
}

/* What the lists depend on, as a hash in `of`: LIKWID, this program, the virtual node, the architectures and what reads
 * them. */
static int print_key(const struct validation *v, char of[24]) {
    char likwid[PATH_MAX], *key = NULL;
    size_t size = 0;
    int may_keep = remembered_file(v->paths, v->likwid.perfctr, likwid) == 0;
    FILE *out = may_keep ? open_memstream(&key, &size) : NULL;
    if (out == NULL)
        return -1;
    fprintf(out, "%s\n", likwid);
    remembered_identity(out, v->likwid.library);
    remembered_identity(out, v->paths->program);
    print_identities(out, v->paths->tools, "vnode/{bin/*,*.so}");
    print_identities(out, v->paths->groups, "*/{*.lua,pmu.*}");
    print_identities(out, v->paths->data, "lua/{doors,input}/*.lua");
    int failed = fclose(out);
    if (failed == 0)
        snprintf(of, 24, "%016" PRIx64, hash_text(key));
    free(key);
    return failed;
}

json_t *listed_kept(const struct validation *v, char file[PATH_MAX]) {
    char of[24] = "", folder[PATH_MAX];
    struct error none;
    if (print_key(v, of) != 0 || paths_cache(v->paths, folder, &none) != 0 ||
        paths_join(file, folder, "listed.json", &none) != 0)
        file[0] = '\0';
    json_t *kept = file[0] != '\0' ? json_load_file(file, 0, NULL) : NULL;
    const char *before = json_word(kept, "of");
    if (before != NULL && strcmp(before, of) == 0 && json_is_object(json_object_get(kept, "lists")))
        return kept;
    json_decref(kept);
    return json_pack("{s:s, s:{}}", "of", of, "lists");
}

void listed_keep(const json_t *kept, const char *file) {
    struct error none;
    char *text = file[0] != '\0' ? json_dumps(kept, JSON_COMPACT) : NULL;
    if (text != NULL)
        text_replace(file, text, &none);
    free(text);
}
