/* pmu_compiled.c - the table file that daemons map: it reads as it was written, and errors in it are reported in one
 * line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <sys/stat.h>
#include <unistd.h>

#include "pmu_fixture.h"
#include "vnode/pmu/compiled.h"

struct folder {
    char path[64], file[80];
    struct compiled compiled;
};

static int setup(void **state) {
    struct folder *folder = calloc(1, sizeof *folder);
    char error[256];
    assert_non_null(folder);
    strcpy(folder->path, "/tmp/pmu-compiled-XXXXXX");
    assert_non_null(mkdtemp(folder->path));
    snprintf(folder->file, sizeof folder->file, "%s/pmu", folder->path);
    assert_null(table_load(PMU_EVENTS, &folder->compiled.table, error, sizeof error));
    folder->compiled.faults = (struct fault_list){.seed = 9, .count = 1, .fault = {{.kind = FAULT_ADD, .number = 5}}};
    *state = folder;
    return 0;
}

static int teardown(void **state) {
    struct folder *folder = *state;
    unlink(folder->file);
    assert_int_equal(rmdir(folder->path), 0); /* nothing else is left there */
    free(folder);
    return 0;
}

#define COMPILED_TEST(name) TEST_WITH(name, struct folder *folder, setup, teardown)

COMPILED_TEST(what_was_written_is_read) {
    char error[256];
    struct stat status;
    assert_int_equal(compiled_write(folder->path, &folder->compiled), 0);
    const struct compiled *file = compiled_map(folder->path, error, sizeof error);
    assert_non_null(file);
    assert_memory_equal(file, &folder->compiled, sizeof *file);
    assert_int_equal(file->faults.fault[0].number, 5);
    assert_int_equal(stat(folder->file, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    folder->compiled.faults.seed = 10;
    assert_int_equal(compiled_write(folder->path, &folder->compiled), 0);
    assert_int_equal(file->faults.seed, 9); /* existing mappings keep the old file */
    compiled_unmap(file);
}

/* The error must be one line that names the file. */
static void refused(const struct folder *folder, const char *what) {
    char error[256];
    assert_null(compiled_map(folder->path, error, sizeof error));
    assert_memory_equal(error, folder->file, strlen(folder->file));
    assert_null(strchr(error, '\n'));
    if (!strstr(error, what))
        fail_msg("%s", error);
}

static void change(const struct folder *folder, off_t offset, uint32_t value) {
    FILE *file = fopen(folder->file, "r+");
    assert_non_null(file);
    fseek(file, offset, SEEK_SET);
    assert_int_equal(fwrite(&value, sizeof value, 1, file), 1);
    fclose(file);
}

COMPILED_TEST(what_is_not_whole_is_refused) {
    static const off_t sizes[] = {0, 4, 15, 16, 1000, (off_t)sizeof(struct compiled) - 1};
    refused(folder, "No such file");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_int_equal(compiled_write(folder->path, &folder->compiled), 0);
        assert_int_equal(truncate(folder->file, sizes[i]), 0);
        refused(folder, "not all of it is there");
    }
    assert_int_equal(compiled_write(folder->path, &folder->compiled), 0);
    assert_int_equal(truncate(folder->file, (off_t)sizeof(struct compiled) + 1), 0);
    refused(folder, "not all of it");
}

COMPILED_TEST(what_others_wrote_is_refused) {
    assert_int_equal(compiled_write(folder->path, &folder->compiled), 0);
    change(folder, offsetof(struct compiled_head, magic), 0x464c457f);
    refused(folder, "not the counters of a virtual node");
    assert_int_equal(compiled_write(folder->path, &folder->compiled), 0);
    change(folder, offsetof(struct compiled_head, version), COMPILED_VERSION + 1);
    refused(folder, "written by another version of assay");
    assert_int_equal(compiled_write(folder->path, &folder->compiled), 0);
    change(folder, offsetof(struct compiled_head, size), (uint32_t)sizeof(struct compiled) - 8);
    refused(folder, "written by another version of assay");
}

COMPILED_TEST(a_folder_that_cannot_be_written) {
    assert_int_equal(compiled_write("/nonexistent", &folder->compiled), -1);
}
