/* tree.h - writes and removes small file trees.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_TREE_H
#define ASSAY_LAUNCH_TREE_H

#include <stdio.h>

/* A folder to write files in. After the first failure nothing more is written; `error` is its errno. */
struct tree {
    int root;
    int error;
};

/* Creates the parent folders of `path`, which is relative to the root, and opens the file for writing. NULL after a
 * failure. */
FILE *tree_open(struct tree *tree, const char *path);

/* Closes a file (may be NULL); a write error becomes a failure of the tree. */
void tree_close(struct tree *tree, FILE *file);

/* Writes a file of one line. */
void tree_line(struct tree *tree, const char *path, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Creates a symbolic link. */
void tree_link(struct tree *tree, const char *path, const char *target);

/* Removes a file, or a folder with all its content, in the folder `parent`; links are removed, never followed. 0, or
 * -1 if something is left. */
int tree_remove(int parent, const char *name);

#endif
