/* launch_files.h - makes and reads folders and files for the launcher's tests. Every failure ends the test.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_UNIT_LAUNCH_FILES_H
#define ASSAY_TESTS_UNIT_LAUNCH_FILES_H

#include <fcntl.h>

#include "test.h"

#include "vnode/launch/tree.h"

enum { SCRATCH_BYTES = 64 };

static inline void make_scratch(char folder[SCRATCH_BYTES]) {
    strcpy(folder, "/tmp/launch-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
}

/* Removes the folder named at the start of `state` and frees `state`. Returns 0, or -1 if something could not be
 * removed. */
static inline int remove_scratch(void **state) {
    int result = tree_remove(AT_FDCWD, *state);
    free(*state);
    return result;
}

static inline void put(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* The text of a file, valid until the next call. */
static inline char *contents(const char *path) {
    static char text[1 << 18];
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s: not there", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

#endif
