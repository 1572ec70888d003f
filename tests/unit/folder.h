/* folder.h - a new folder for a test, removed afterwards with all in it. SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_UNIT_FOLDER_H
#define ASSAY_TESTS_UNIT_FOLDER_H

#include <unistd.h>

#include "test.h"

static char test_folder[32];

static inline int folder_make(void **state) {
    *state = strcpy(test_folder, "/tmp/assay-test-XXXXXX");
    return mkdtemp(test_folder) == NULL;
}

/* The folder is the working directory, too. */
static inline int folder_enter(void **state) {
    return folder_make(state) != 0 || chdir(test_folder) != 0;
}

static inline int folder_remove(void **state) {
    char command[64];
    snprintf(command, sizeof command, "cd / && rm -rf %s", (const char *)*state);
    return system(command);
}

#endif
