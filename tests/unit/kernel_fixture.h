/* kernel_fixture.h - makes kernels from text in a scratch folder, for the tests of validate/kernel. */
#ifndef ASSAY_TESTS_KERNEL_FIXTURE_H
#define ASSAY_TESTS_KERNEL_FIXTURE_H

#include <limits.h>

#include "folder.h"

#include "validate/kernel/assemble.h"
#include "validate/kernel/check.h"

struct scratch {
    char folder[sizeof test_folder];
    char path[64]; /* of the kernel */
};

static inline int scratch_open(void **state) {
    static struct scratch scratch;
    unsetenv("CC"); /* make exports it */
    assert_int_equal(folder_make(state), 0);
    strcpy(scratch.folder, test_folder);
    snprintf(scratch.path, sizeof scratch.path, "%s/x.ptt", test_folder);
    *state = &scratch;
    return 0;
}

#define KERNEL_TEST(name) TEST_WITH(name, const struct scratch *scratch, scratch_open, folder_remove)

static inline void scratch_write(const struct scratch *scratch, const char *text) {
    FILE *file = fopen(scratch->path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* A header of 10 lines for kernels of doubles in tests that do not check the header. */
#define UNCHECKED_HEADER                                                                                               \
    "STREAMS %d\nTYPE DOUBLE\nFLOPS 0\nBYTES 0\nDESC x\nLOADS 0\nSTORES 0\nINSTR_CONST 0\nINSTR_LOOP 0\nUOPS 0\n"

/* Writes, reads, assembles and counts a kernel. Returns 0, or -1 with the error. */
static inline int count_text(const struct scratch *scratch, const char *text, struct kernel_counts *counts,
                             struct error *error) {
    struct ptt ptt;
    char object[PATH_MAX];
    scratch_write(scratch, text);
    int status = ptt_read(&ptt, scratch->path, error);
    if (status == 0) {
        status = kernel_assemble(&ptt, scratch->folder, object, sizeof object, error);
        if (status == 0)
            status = kernel_count(object, ptt.path, counts, error);
        ptt_free(&ptt);
    }
    return status;
}

/* The same for a body (with its preamble and LOOP) that uses `streams` streams. */
static inline int count_body(const struct scratch *scratch, int streams, const char *body, struct kernel_counts *counts,
                             struct error *error) {
    char text[4096];
    int header = snprintf(text, sizeof text, UNCHECKED_HEADER, streams);
    snprintf(text + header, sizeof text - (size_t)header, "%s", body);
    return count_text(scratch, text, counts, error);
}

/* The error must be one line that contains the text. */
static inline void assert_error(const struct error *error, const char *text) {
    assert_null(strchr(error->text, '\n'));
    if (strstr(error->text, text) == NULL)
        fail_msg("'%s' does not contain '%s'", error->text, text);
}

#endif
