/* instruction.c - machine code: compares what the kernels' counting (validate/kernel/effect.c), the engine
 * (vnode/engine/decode.c) and Capstone say about one instruction. The input is any bytes. Each instruction in it that
 * Capstone knows is decoded from a copy that ends with the instruction.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/kernel/effect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "vnode/engine/decode.h"

const char fuzz_name[] = "instruction";
const unsigned fuzz_inputs = 4000;

static int in_group(const cs_insn *instruction, uint8_t group) {
    return memchr(instruction->detail->groups, group, instruction->detail->groups_count) != NULL;
}

/* The instruction and its bytes as text. */
static const char *describe(const cs_insn *instruction) {
    static char text[256];
    int used = snprintf(text, sizeof text, "%s %s (", instruction->mnemonic, instruction->op_str);
    for (int i = 0; i < instruction->size && used < (int)sizeof text - 4; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%02x ", instruction->bytes[i]);
    return text;
}

#define SAYS(condition) FUZZ_CHECK(condition, "%s): not " #condition, describe(instruction))

static void check_effect(const cs_insn *instruction, const struct effect *effect) {
    const struct kernel_part *part = &effect->part;
    int stack = part->loads + part->stores > (unsigned)(effect->loads + effect->stores);
    SAYS(part->instructions == 1);
    SAYS(effect->memory || stack || part->loads + part->stores == 0);
    SAYS(!effect->memory || effect->loads || effect->stores);
    SAYS(effect->memory == NULL || effect->bytes > 0);
    SAYS((part->loads > 0) == (part->bytes_loaded > 0));
    SAYS((part->stores > 0) == (part->bytes_stored > 0));
    SAYS(part->stores_nt <= part->stores);
    SAYS(part->load_stores <= part->loads && part->load_stores <= part->stores);
    SAYS(part->avx_loads + part->avx_stores + part->avx_calc <= 1);
    SAYS(part->uops >= 1);
    SAYS(part->flops <= 16);
    SAYS(!effect->conditional || effect->control_flow);
}

static int is_branch(enum instruction_kind kind) {
    return kind >= INSTRUCTION_JUMP_CONDITIONAL && kind <= INSTRUCTION_RETURN;
}

static void check_decode(const cs_insn *instruction, const struct instruction *decoded, const struct effect *effect) {
    int call = in_group(instruction, X86_GRP_CALL), back = in_group(instruction, X86_GRP_RET);
    int jump = in_group(instruction, X86_GRP_JUMP) || strncmp(instruction->mnemonic, "loop", 4) == 0;
    SAYS(is_branch(decoded->kind) == (call || back || jump));
    SAYS((decoded->kind == INSTRUCTION_RETURN) == back);
    SAYS((decoded->kind == INSTRUCTION_CALL || decoded->kind == INSTRUCTION_CALL_INDIRECT) == call);
    if (effect->refused)
        return;
    SAYS((decoded->kind == INSTRUCTION_JUMP_CONDITIONAL) == effect->conditional);
    SAYS(!effect->memory || decoded->has_memory || !instruction->detail->x86.encoding.modrm_offset);
    SAYS((decoded->kind == INSTRUCTION_STORE_NT) == effect->non_temporal);
    SAYS((decoded->avx == AVX_LOAD) == (effect->part.avx_loads > 0));
    SAYS((decoded->avx == AVX_STORE) == (effect->part.avx_stores > 0));
    SAYS((decoded->avx == AVX_CALC) == (effect->part.avx_calc > 0));
}

/* Whether the nodes' processor does not have the instruction. */
static int is_foreign(const cs_insn *instruction) {
    static const uint8_t groups[] = {X86_GRP_RTM, X86_GRP_3DNOW, X86_GRP_XOP, X86_GRP_TBM, X86_GRP_FMA4, X86_GRP_SSE4A};
    for (size_t i = 0; i < sizeof groups; i++)
        if (in_group(instruction, groups[i]))
            return 1;
    return 0;
}

static void check(const cs_insn *instruction, const uint8_t *code) {
    UChar *exact = malloc(instruction->size);
    FUZZ_CHECK(exact, "out of memory");
    memcpy(exact, code, instruction->size);
    struct instruction decoded = decode(exact, instruction->size);
    struct effect effect = effect_of(instruction);
    free(exact);
    if (!effect.refused)
        check_effect(instruction, &effect);
    if (!is_foreign(instruction))
        check_decode(instruction, &decoded, &effect);
}

enum { LONGEST = 15 }; /* bytes of an instruction */

/* Checks each instruction in the bytes. Returns whether they start with one. */
static int check_all(const uint8_t *code, size_t size) {
    static csh disassembler;
    static cs_insn *instruction;
    const uint8_t *first = code;
    uint64_t address = 0;
    int begins = 0;
    if (!instruction) {
        FUZZ_CHECK(cs_open(CS_ARCH_X86, CS_MODE_64, &disassembler) == CS_ERR_OK, "no Capstone");
        cs_option(disassembler, CS_OPT_DETAIL, CS_OPT_ON);
        instruction = cs_malloc(disassembler);
    }
    while (size > 0) {
        const uint8_t *next = code;
        size_t left = size < LONGEST ? size : LONGEST; /* Capstone 5 scans the whole of a long sequence of prefixes */
        if (cs_disasm_iter(disassembler, &next, &left, &address, instruction)) {
            check(instruction, code);
            begins |= code == first;
        } else {
            next = code + 1;
        }
        size -= (size_t)(next - code);
        code = next;
    }
    return begins;
}

/* Random bytes are rarely AVX: uses them again as fields of AVX instructions. */
static void check_avx(const uint8_t *data, size_t size) {
    for (; size >= 4; data += 4, size -= 4) {
        const uint8_t code[] = {
            0xc4, (uint8_t)(0xe1 + data[0] % 3), (uint8_t)(0x78 | data[1]), data[2], data[3], 0x24, 0, 0, 0, 0};
        check_all(code, sizeof code);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (check_all(data, size))
        fuzz_accept();
    check_avx(data, size);
    return 0;
}
