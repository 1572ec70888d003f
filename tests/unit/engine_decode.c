/* engine_decode.c - compares the vector registers that instructions use, and integer divisions, by the engine's tables
 * and by the disassembly, for every instruction of the C and mathematics libraries that this program uses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <link.h>
#include <math.h>

#include "test.h"

#include "validate/kernel/effect.h"
#include "vnode/engine/decode.h"

enum { USES = UPPER_ZEROED + 1 };

struct comparison {
    csh disassembler;
    unsigned long seen[USES], divisions;
    unsigned wrong;
};

/* The disassembler's result for kernels, as the engine's enum. */
static enum upper_use use_of(enum upper_halves upper) {
    static const enum upper_use uses[] = {[UPPER_ALONE] = UPPER_UNUSED,
                                          [UPPER_KEPT] = UPPER_LEGACY,
                                          [UPPER_WANTED] = UPPER_VEX_128,
                                          [UPPER_WRITTEN] = UPPER_VEX_256,
                                          [UPPER_CLEARED] = UPPER_ZEROED};
    return uses[upper];
}

static void compare(struct comparison *comparison, const uint8_t *code, size_t left) {
    cs_insn *instruction = cs_malloc(comparison->disassembler);
    assert_non_null(instruction);
    uint64_t address = 0;
    while (left > 0 && cs_disasm_iter(comparison->disassembler, &code, &left, &address, instruction)) {
        if (instruction->id == X86_INS_INVALID)
            continue;
        struct effect effect = effect_of(instruction);
        if (effect.avx512) /* no node supports it */
            continue;
        enum upper_use expected = use_of(effect.upper);
        comparison->seen[expected]++;
        struct instruction decoded = decode(instruction->bytes, instruction->size);
        unsigned divisions = instruction->id == X86_INS_DIV || instruction->id == X86_INS_IDIV;
        comparison->divisions += divisions;
        if (decoded.vectors == expected && (expected != UPPER_UNUSED || decoded.divider_uops == divisions))
            continue;
        if (comparison->wrong++ < 20)
            printf("%s %s: not %d\n", instruction->mnemonic, instruction->op_str, (int)expected);
    }
    cs_free(instruction, 1);
}

/* Compares the code of a loaded library. */
static int compare_library(struct dl_phdr_info *info, size_t size, void *comparison) {
    (void)size;
    if (strstr(info->dlpi_name, "/libc.so") == NULL && strstr(info->dlpi_name, "/libm.so") == NULL)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) != 0)
            compare(comparison, (const uint8_t *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
                    info->dlpi_phdr[i].p_memsz);
    return 0;
}

TEST(decoding_agrees_with_capstone) {
    struct comparison comparison = {0};
    assert_int_equal(cs_open(CS_ARCH_X86, CS_MODE_64, &comparison.disassembler), CS_ERR_OK);
    cs_option(comparison.disassembler, CS_OPT_DETAIL, CS_OPT_ON);
    cs_option(comparison.disassembler, CS_OPT_SKIPDATA, CS_OPT_ON);
    volatile double one = 1;
    assert_true(cos(one) < 1); /* libm is there */
    dl_iterate_phdr(compare_library, &comparison);
    cs_close(&comparison.disassembler);
    assert_int_equal(comparison.wrong, 0);
    for (int use = 0; use < USES; use++)
        assert_true(comparison.seen[use] > 100);
    assert_true(comparison.divisions > 100);
}

/* MMX instructions have the same opcodes without a prefix; the libraries contain none. */
TEST(mmx_instructions_use_no_vectors) {
    static const UChar opcodes[] = {0x60, 0x6f, 0x76, 0xc4, 0xd1, 0xd4, 0xef, 0xfe};
    for (size_t i = 0; i < sizeof opcodes; i++) {
        UChar mmx[] = {0x0f, opcodes[i], 0xc1, 0x00}, sse[] = {0x66, 0x0f, opcodes[i], 0xc1, 0x00};
        assert_int_equal(decode(mmx, sizeof mmx).vectors, UPPER_UNUSED);
        assert_int_equal(decode(sse, sizeof sse).vectors, UPPER_LEGACY);
    }
}

/* A truncated instruction is decoded from its first bytes only; later bytes are not read. */
TEST(truncated_instructions) {
    static const UChar add[] = {0xc5, 0xed, 0x58, 0xcb}; /* vaddpd ymm1, ymm2, ymm3 */
    for (UInt length = 0; length < 3; length++)
        assert_int_equal(decode(add, length).vectors, UPPER_UNUSED);
    assert_int_equal(decode(add, sizeof add).vectors, UPPER_VEX_256);
}
