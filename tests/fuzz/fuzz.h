/* fuzz.h - interface of a fuzz harness. tests/fuzz/NAME.c defines the parser's name, the number of mutated inputs (a
 * tenth of them without TEST_FULL=), and LLVMFuzzerTestOneInput(), which reads one input and aborts if the parser
 * breaks a promise. That function is called by libFuzzer, AFL++ and our own deterministic driver.c.
 *
 * The promises of every parser: no crash, no sanitizer report, no hang; a refusal is one line that names the place;
 * accepted input can be used, and if there is a writer, what it writes reads the same.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_FUZZ_H
#define ASSAY_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

extern const char fuzz_name[];
extern const unsigned fuzz_inputs;

/* Returns always 0, as required by libFuzzer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reports that the parser accepted the input. driver.c fails if a harness accepts all inputs or none, because it then
 * tests nothing. */
void fuzz_accept(void);
unsigned long fuzz_accepted(void);

/* The input as a NUL-terminated string, freed by the caller. */
char *fuzz_text(const uint8_t *data, size_t size);

/* The input as a file in memory: a path without a suffix, valid until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* Prints the failure and aborts. */
_Noreturn void fuzz_fail(const char *source, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
#define FUZZ_CHECK(condition, ...) ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, __VA_ARGS__))

/* An error message must be one line, not empty, that begins with "FILE:LINE: ", LINE from 1. */
void fuzz_check_refusal(const char *message, const char *file);

/* The same without a line number: it must begin with "WHAT". */
void fuzz_check_names(const char *message, const char *what);

#endif
