/* ptt.h - reads a .ptt file, likwid-bench's format for a streaming kernel: a header of keys, instructions that run
 * once (the preamble), `LOOP elements`, and the instructions of one pass of the loop.
 * Strict where likwid-bench guesses: an unknown, repeated or missing key, an invalid number, a key after the code, and
 * STRn beyond STREAMS are errors, reported in one line with file and line. check.h checks the header's values. */
#ifndef ASSAY_KERNEL_PTT_H
#define ASSAY_KERNEL_PTT_H

#include <stddef.h>

#include "validate/host/error.h"
#include "validate/kernel/object.h"

/* Keys whose value is a number. FLOPS, BYTES, LOADS, STORES and LOADSTORES are per element of the streams; BRANCHES,
 * INSTR_LOOP and UOPS per pass of the loop, INSTR_CONST per call. LOADSTORES and BRANCHES may be left out. */
enum ptt_key {
    PTT_STREAMS,
    PTT_FLOPS,
    PTT_BYTES,
    PTT_LOADS,
    PTT_STORES,
    PTT_LOADSTORES,
    PTT_BRANCHES,
    PTT_INSTR_CONST,
    PTT_INSTR_LOOP,
    PTT_UOPS,
    PTT_LOOP,
    PTT_KEYS
};

struct ptt_value {
    unsigned number;
    unsigned line; /* 0: the key is missing */
};

struct ptt_code {
    const char *text; /* one line of assembly, without leading and trailing blanks */
    unsigned line;
};

struct ptt {
    char *path;        /* as given */
    char name[64];     /* file name without .ptt */
    char *description; /* DESC */
    enum kernel_type type;
    struct ptt_value value[PTT_KEYS];
    struct ptt_code *code; /* preamble, then loop */
    size_t preamble;       /* lines of code before LOOP */
    size_t codes;          /* all lines of code */
    char *text;            /* owns what `code` and `description` point to */
};

/* The key's name in the file. */
const char *ptt_key_name(enum ptt_key key);

/* Reads the file at `path`. Returns 0, or -1 with the reason (and nothing to free). Free with ptt_free(). */
int ptt_read(struct ptt *ptt, const char *path, struct error *error);

void ptt_free(struct ptt *ptt);

#endif
