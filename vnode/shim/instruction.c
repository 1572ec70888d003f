/* instruction.c - assay-instruction PROGRAM PLACE BYTES: reports an instruction that the node lacks, in one line on
 * stderr. Started by the engine, which has no disassembler (vnode/engine/undecoded.c).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>

enum { INSTRUCTION_MAX = 15, TEXT_MAX = 256 };

/* Parses bytes of two hexadecimal digits each; returns their number. */
static size_t read_bytes(const char *text, unsigned char out[INSTRUCTION_MAX]) {
    size_t n = 0;
    unsigned byte;
    for (; n < INSTRUCTION_MAX && sscanf(text + 2 * n, "%2x", &byte) == 1; n++)
        out[n] = (unsigned char)byte;
    return n;
}

/* Writes the instruction's text; 0 if the disassembler does not know it. */
static int disassemble(const unsigned char *bytes, size_t size, char out[TEXT_MAX]) {
    csh handle;
    cs_insn *found = NULL;
    if (cs_open(CS_ARCH_X86, CS_MODE_64, &handle) != CS_ERR_OK)
        return 0;
    size_t count = cs_disasm(handle, bytes, size, 0, 1, &found);
    if (count)
        snprintf(out, TEXT_MAX, "%s %s", found->mnemonic, found->op_str);
    cs_free(found, count);
    cs_close(&handle);
    return count != 0;
}

int main(int argc, char **argv) {
    unsigned char bytes[INSTRUCTION_MAX];
    char text[TEXT_MAX];
    if (argc != 4)
        return EXIT_FAILURE;
    if (!disassemble(bytes, read_bytes(argv[3], bytes), text))
        snprintf(text, sizeof text, "bytes %.*s", 2 * INSTRUCTION_MAX, argv[3]);
    fprintf(stderr,
            "assay: %s: illegal instruction at %s: the node does not have `%s'; compile for what its /proc/cpuinfo "
            "lists, e.g. with -march=x86-64-v3 (no AVX-512)\n",
            argv[1], argv[2], text);
    return EXIT_SUCCESS;
}
