/* faults.c - reads a fault file. SPDX-License-Identifier: GPL-3.0-or-later */
#include "faults.h"

#include <stdlib.h>
#include <string.h>

#include "validate/host/text.h"

/* Noise is one more line at the end, so that lines keep their numbers in messages. */
struct vnode_faults *faults_read(const char *file, const char *noise, const struct vnode *vnode, struct error *error) {
    struct vnode_faults *faults = NULL;
    if (noise != NULL && strcmp(noise, "quiet") != 0 && strcmp(noise, "busy") != 0) {
        error_set(error, "--noise %.60s: quiet or busy is expected", noise);
        return NULL;
    }
    char *text = file != NULL ? text_read(file, error) : strdup(""), *all = NULL;
    int is_read = text != NULL && asprintf(&all, "%s%s%s%s", text,
                                           noise == NULL  ? ""
                                           : file == NULL ? "* noise "
                                                          : "\n* noise ",
                                           noise != NULL ? noise : "", noise != NULL ? "\n" : "") >= 0;
    if (is_read)
        vnode_read_faults(vnode, file != NULL ? file : "--noise", all, &faults, error->text, sizeof error->text);
    free(text);
    if (is_read)
        free(all);
    return faults;
}

json_t *faults_lines(const struct vnode_faults *faults) {
    json_t *lines = json_array();
    for (const char *line = faults != NULL ? vnode_fault_lines(faults) : ""; *line != '\0'; line++) {
        size_t length = strcspn(line, "\n");
        json_array_append_new(lines, json_stringn(line, length));
        line += length;
    }
    return lines;
}
