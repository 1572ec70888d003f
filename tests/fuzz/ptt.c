/* ptt.c - kernels. Accepted kernels have a loop of at least one line, use existing streams, and become assembly text
 * that contains each line of code once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/kernel/ptt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "validate/kernel/assemble.h"

const char fuzz_name[] = "ptt";
const unsigned fuzz_inputs = 6000;

static size_t occurrences(const char *text, const char *word) {
    size_t count = 0;
    for (; (text = strstr(text, word)) != NULL; text += strlen(word))
        count++;
    return count;
}

static void use(const struct ptt *ptt) {
    FUZZ_CHECK(ptt->preamble < ptt->codes, "%zu lines of code, %zu before the loop", ptt->codes, ptt->preamble);
    FUZZ_CHECK(ptt->value[PTT_STREAMS].number <= KERNEL_STREAMS_MAX, "%u streams", ptt->value[PTT_STREAMS].number);
    for (size_t i = 0; i < ptt->codes; i++)
        FUZZ_CHECK(ptt->code[i].text[0] != '\0' && !strchr(ptt->code[i].text, '\n') &&
                       (i == 0 || ptt->code[i].line > ptt->code[i - 1].line),
                   "line %u of the code", ptt->code[i].line);
    char *assembly = kernel_assembly(ptt);
    FUZZ_CHECK(assembly, "no assembly");
    FUZZ_CHECK(occurrences(assembly, "\n.Lat") >= ptt->codes, "lines of code are lost");
    free(assembly);
}

static char folder[] = "/tmp/assay-fuzz-XXXXXX", path[64];

static void remove_link(void) {
    unlink(path);
    rmdir(folder);
}

/* A kernel's name must end in .ptt, but fuzz_file() has no suffix: makes a link. */
static void make_link(const char *file) {
    FUZZ_CHECK(mkdtemp(folder), "no folder for a link");
    snprintf(path, sizeof path, "%s/x.ptt", folder);
    FUZZ_CHECK(symlink(file, path) == 0, "cannot make a link");
    atexit(remove_link);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ptt ptt;
    struct error error;
    const char *file = fuzz_file(data, size);
    if (path[0] == '\0')
        make_link(file);
    if (ptt_read(&ptt, path, &error) != 0) {
        fuzz_check_names(error.text, path);
    } else {
        use(&ptt);
        ptt_free(&ptt);
        fuzz_accept();
    }
    return 0;
}
