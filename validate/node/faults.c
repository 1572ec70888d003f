/* faults.c - reads a fault file. SPDX-License-Identifier: GPL-3.0-or-later */
#include "faults.h"

#include <stdlib.h>
#include <string.h>

#include "validate/host/text.h"

struct vnode_faults *faults_read(const char *file, const struct vnode *vnode, struct error *error) {
    struct vnode_faults *faults = NULL;
    char *text = text_read(file, error);
    if (text != NULL)
        vnode_read_faults(vnode, file, text, &faults, error->text, sizeof error->text);
    free(text);
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
