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

/* Always 0, as libFuzzer wants it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The parser took the input. A harness whose inputs are all refused, or all accepted, tests nothing: driver.c looks. */
void fuzz_accept(void);
unsigned long fuzz_accepted(void);

/* The input as a NUL-terminated string, to be freed. */
char *fuzz_text(const uint8_t *data, size_t size);

/* The input as a file: a path without a suffix, good until the next call. Costs no disk. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* Says what is wrong and aborts. */
_Noreturn void fuzz_fail(const char *source, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
#define FUZZ_CHECK(condition, ...) ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, __VA_ARGS__))

/* A refusal is one line, not empty, that begins with "FILE:LINE: ", LINE from 1 on. */
void fuzz_check_refusal(const char *message, const char *file);

/* The same without a line: it begins with "WHAT". */
void fuzz_check_names(const char *message, const char *what);

#endif
