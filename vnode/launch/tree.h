/* tree.h - small trees of files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_TREE_H
#define ASSAY_LAUNCH_TREE_H

#include <stdio.h>

/* A folder that files are written below. After the first failure nothing more is written; `error` is its errno. */
struct tree {
    int root;
    int error;
};

/* Makes the folders on the way to `path`, which is relative to the root, and opens the file for writing. NULL after a
 * failure. */
FILE *tree_open(struct tree *tree, const char *path);

/* Ends a file, NULL included; what could not be written is a failure of the tree. */
void tree_close(struct tree *tree, FILE *file);

/* A file of one line. */
void tree_line(struct tree *tree, const char *path, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A symbolic link. */
void tree_link(struct tree *tree, const char *path, const char *target);

/* Removes a file, or a folder with all that is below it, of the folder `parent`; links are removed, never followed. 0,
 * or -1 if something is left. */
int tree_remove(int parent, const char *name);

#endif
