/* effect.c - effects of single x86-64 instructions. SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/kernel/effect.h"

#include <string.h>

enum { POINTER_BYTES = 8, MMX_BYTES = 8, XMM_BYTES = 16, YMM_BYTES = 32 };

struct word {
    const char *name;
    unsigned value;
};

/* FLOPs per element of floating-point mnemonics, without the leading v and the type suffix. */
static const struct word arithmetic[] = {{"add", 1},   {"sub", 1},    {"mul", 1},  {"div", 1},  {"sqrt", 1},
                                         {"min", 1},   {"max", 1},    {"hadd", 1}, {"hsub", 1}, {"rcp", 1},
                                         {"rsqrt", 1}, {"addsub", 1}, {"dp", 2},   {NULL, 0}};

/* Directions of memory operands that Capstone 4 wrongly reports as read. */
static const struct word directions[] = {
    {"movnti", CS_AC_WRITE}, {"movbe", CS_AC_WRITE}, {"stmxcsr", CS_AC_WRITE}, {"vstmxcsr", CS_AC_WRITE}, {NULL, 0}};

/* Instructions that use the memory operand only as an address. */
static const char *const address_only[] = {"lea", "nop", "prefetch", "clflush", "clwb", NULL};

/* Instructions whose accesses depend on data or on the processor's state, or are too rare for a table; cmpxchg because
 * Capstone 4 does not report that it writes rax. */
static const char *const not_countable[] = {"rep",     "vgather",  "vpgather", "vmaskmov", "vpmaskmov",
                                            "maskmov", "vscatter", "xsave",    "xrstor",   "f",
                                            "lods",    "stos",     "scas",     "cmpxchg",  NULL};

/* 256-bit moves: loads and stores if an operand is in memory. Those in the second list are not counted between
 * registers. */
static const char *const moves[] = {"vmovap",       "vmovup",       "vmovdq",    "vmovnt",     "vlddqu",
                                    "vmovddup",     "vmovsldup",    "vmovshdup", "vbroadcast", "vpbroadcast",
                                    "vextractf128", "vextracti128", NULL};
static const char *const plain_moves[] = {"vmovap", "vmovup", "vmovdq", "vmovmsk", "vpmovmskb", NULL};

/* Moves of any width: the load is the whole instruction, not an operand of an operation. */
static const char *const pure_loads[] = {"mov", "vmov", "vbroadcast", "vpbroadcast", "lddqu", "vlddqu", "pop", NULL};

/* Skips the prefixes that Capstone writes in front of the mnemonic. */
static const char *mnemonic_of(const cs_insn *instruction) {
    static const char lock[] = "lock ";
    size_t length = sizeof lock - 1;
    return instruction->mnemonic + (strncmp(instruction->mnemonic, lock, length) == 0 ? length : 0);
}

static int begins_with_any(const char *mnemonic, const char *const prefix[]) {
    for (; *prefix != NULL; prefix++) {
        if (strncmp(mnemonic, *prefix, strlen(*prefix)) == 0)
            return 1;
    }
    return 0;
}

static const struct word *find(const struct word *words, const char *name) {
    for (; words->name != NULL; words++) {
        if (strcmp(words->name, name) == 0)
            return words;
    }
    return NULL;
}

enum kernel_register register_role(unsigned reg, unsigned *stream) {
    static const struct {
        unsigned parts[5];
        enum kernel_register role;
        unsigned stream;
    } rows[] = {
        {{X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL, X86_REG_AH}, REGISTER_COUNTER, 0},
        {{X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL}, REGISTER_ELEMENTS, 0},
        {{X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL}, REGISTER_STREAM, 0},
        {{X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL, X86_REG_DH}, REGISTER_STREAM, 1},
        {{X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL, X86_REG_CH}, REGISTER_STREAM, 2},
        {{X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B}, REGISTER_STREAM, 3},
        {{X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B}, REGISTER_STREAM, 4},
    };
    for (size_t i = 0; reg != X86_REG_INVALID && i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t j = 0; j < 5; j++) {
            if (rows[i].parts[j] == reg) {
                *stream = rows[i].stream;
                return rows[i].role;
            }
        }
    }
    return REGISTER_OTHER;
}

/* Width of the widest vector register among the operands, 0 without any. */
static unsigned vector_bytes(const cs_x86 *x86) {
    unsigned widest = 0;
    for (int i = 0; i < x86->op_count; i++) {
        if (x86->operands[i].type != X86_OP_REG)
            continue;
        unsigned reg = x86->operands[i].reg, bytes = 0;
        if (reg >= X86_REG_YMM0 && reg <= X86_REG_YMM31)
            bytes = YMM_BYTES;
        else if (reg >= X86_REG_XMM0 && reg <= X86_REG_XMM31)
            bytes = XMM_BYTES;
        else if (reg >= X86_REG_MM0 && reg <= X86_REG_MM7)
            bytes = MMX_BYTES;
        if (bytes > widest)
            widest = bytes;
    }
    return widest;
}

static int is_legacy_prefix(uint8_t byte) {
    static const uint8_t legacy[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3};
    return memchr(legacy, byte, sizeof legacy) != NULL;
}

/* Length of the legacy prefixes, in bytes. Includes REX, which has no effect in front of other prefixes. */
static size_t legacy_prefixes(const cs_insn *instruction) {
    size_t count = 0;
    for (size_t i = 0; i < instruction->size; i++) {
        if (is_legacy_prefix(instruction->bytes[i]))
            count = i + 1;
        else if ((instruction->bytes[i] & 0xf0) != 0x40)
            break;
    }
    return count;
}

/* In 64-bit mode byte 0x62 is always EVEX, for any register width. */
static int has_evex(const cs_insn *instruction) {
    size_t at = legacy_prefixes(instruction);
    return at < instruction->size && instruction->bytes[at] == 0x62;
}

/* Instructions that use only mask registers are encoded with VEX, not EVEX. */
static int is_avx512(const cs_insn *instruction) {
    const cs_x86 *x86 = &instruction->detail->x86;
    for (int i = 0; i < x86->op_count; i++) {
        unsigned reg = x86->operands[i].type == X86_OP_REG ? x86->operands[i].reg : X86_REG_INVALID;
        if (reg >= X86_REG_K0 && reg <= X86_REG_K7)
            return 1;
    }
    return has_evex(instruction);
}

/* Checks the bytes, because Capstone does not report a prefix that it takes for a part of the opcode. */
static int has_repeat_prefix(const cs_insn *instruction) {
    size_t prefixes = legacy_prefixes(instruction);
    return memchr(instruction->bytes, 0xf2, prefixes) != NULL || memchr(instruction->bytes, 0xf3, prefixes) != NULL;
}

static void set_memory(struct effect *effect, const cs_insn *instruction) {
    const cs_x86 *x86 = &instruction->detail->x86;
    if (begins_with_any(mnemonic_of(instruction), address_only))
        return;
    for (int i = 0; i < x86->op_count; i++) {
        const cs_x86_op *operand = &x86->operands[i];
        if (operand->type != X86_OP_MEM)
            continue;
        if (effect->memory != NULL) {
            effect->refused = "it has two memory operands";
            return;
        }
        const struct word *known = find(directions, mnemonic_of(instruction));
        unsigned access = operand->access;
        if (known != NULL && i == 0)
            access = known->value;
        else if (vector_bytes(x86) > 0)
            access = i == 0 ? CS_AC_WRITE : CS_AC_READ; /* Capstone 4 reports no directions here */
        effect->memory = &operand->mem;
        effect->bytes = operand->size;
        effect->loads = (access & CS_AC_READ) != 0;
        effect->stores = (access & CS_AC_WRITE) != 0;
        effect->non_temporal = effect->stores && (strncmp(mnemonic_of(instruction), "movnt", 5) == 0 ||
                                                  strncmp(mnemonic_of(instruction), "vmovnt", 6) == 0);
        if (effect->non_temporal && has_repeat_prefix(instruction))
            effect->refused = "it has a repeat prefix, which makes it no store of this processor";
        if (!effect->loads && !effect->stores)
            effect->refused = "the direction of its memory operand is not known";
    }
}

static void count_memory(struct effect *effect, const cs_insn *instruction) {
    struct kernel_part *part = &effect->part;
    part->loads = (unsigned)effect->loads;
    part->stores = (unsigned)effect->stores;
    part->load_stores = (unsigned)(effect->loads && effect->stores);
    part->stores_nt = (unsigned)effect->non_temporal;
    part->bytes_loaded = effect->loads ? effect->bytes : 0;
    part->bytes_stored = effect->stores ? effect->bytes : 0;
    /* accesses to the stack are not listed as operands */
    int reads_stack =
        instruction->id == X86_INS_POP || instruction->id == X86_INS_RET || instruction->id == X86_INS_LEAVE;
    int writes_stack = instruction->id == X86_INS_PUSH || instruction->id == X86_INS_CALL;
    if (reads_stack) {
        part->loads++;
        part->bytes_loaded += POINTER_BYTES;
    }
    if (writes_stack) {
        part->stores++;
        part->bytes_stored += POINTER_BYTES;
    }
}

/* The FP_ARITH count for vectors of `vector` bytes; 0: scalar. */
static unsigned *fp_count(struct kernel_part *part, unsigned vector, int is_double) {
    if (vector == 0)
        return is_double ? &part->fp_scalar_dp : &part->fp_scalar_sp;
    if (vector == YMM_BYTES)
        return is_double ? &part->fp_256_dp : &part->fp_256_sp;
    return is_double ? &part->fp_128_dp : &part->fp_128_sp;
}

static void count_arithmetic(struct effect *effect, const cs_insn *instruction) {
    struct kernel_part *part = &effect->part;
    const char *mnemonic = mnemonic_of(instruction);
    unsigned vector = vector_bytes(&instruction->detail->x86);
    if (instruction->id == X86_INS_DIV || instruction->id == X86_INS_IDIV)
        part->divides = 1;
    size_t length = strlen(mnemonic);
    if (vector == 0 || length < 4)
        return;
    const char *type = mnemonic + length - 2;
    int scalar = type[0] == 's';
    if ((!scalar && type[0] != 'p') || (type[1] != 's' && type[1] != 'd'))
        return;
    unsigned lanes = scalar ? 1 : vector / (type[1] == 'd' ? 8 : 4);
    char base[16] = "";
    int v = mnemonic[0] == 'v';
    if (length - 2 - (size_t)v < sizeof base)
        memcpy(base, mnemonic + v, length - 2 - (size_t)v);
    const struct word *known = find(arithmetic, base);
    int fused = strncmp(base, "fm", 2) == 0 || strncmp(base, "fnm", 3) == 0;
    unsigned operations = known != NULL ? known->value : fused ? 2 : 0;
    part->flops = operations * lanes;
    *fp_count(part, scalar ? 0 : vector, type[1] == 'd') = operations;
    if (strcmp(base, "div") == 0 || strcmp(base, "sqrt") == 0)
        part->divides = 1;
}

static void count_avx(struct effect *effect, const cs_insn *instruction) {
    int from_memory = effect->memory != NULL && effect->bytes == YMM_BYTES; /* vcvtpd2ps xmm0, [32 bytes] */
    if (vector_bytes(&instruction->detail->x86) != YMM_BYTES && !from_memory)
        return;
    struct kernel_part *part = &effect->part;
    if (effect->memory != NULL && begins_with_any(mnemonic_of(instruction), moves)) {
        part->avx_loads = (unsigned)effect->loads;
        part->avx_stores = (unsigned)effect->stores;
    } else if (effect->memory != NULL || !begins_with_any(mnemonic_of(instruction), plain_moves)) {
        part->avx_calc = 1;
    }
}

static enum upper_halves upper_halves(const struct effect *effect, const cs_insn *instruction) {
    if (instruction->id == X86_INS_VZEROUPPER || instruction->id == X86_INS_VZEROALL)
        return UPPER_CLEARED;
    unsigned vector = vector_bytes(&instruction->detail->x86);
    if (vector < XMM_BYTES)
        return UPPER_ALONE;
    if (mnemonic_of(instruction)[0] != 'v')
        return UPPER_KEPT;
    return vector == YMM_BYTES || (effect->memory != NULL && effect->bytes == YMM_BYTES) ? UPPER_WRITTEN : UPPER_WANTED;
}

static int in_group(const cs_insn *instruction, uint8_t group) {
    for (int i = 0; i < instruction->detail->groups_count; i++) {
        if (instruction->detail->groups[i] == group)
            return 1;
    }
    return 0;
}

static void count_control(struct effect *effect, const cs_insn *instruction) {
    int loop = instruction->id == X86_INS_LOOP || instruction->id == X86_INS_LOOPE || instruction->id == X86_INS_LOOPNE;
    int jump = loop || in_group(instruction, X86_GRP_JUMP); /* Capstone 4 puts loop in no group */
    effect->conditional = jump && instruction->id != X86_INS_JMP && instruction->id != X86_INS_LJMP;
    effect->part.conditional = (unsigned)effect->conditional;
    effect->part.calls = (unsigned)in_group(instruction, X86_GRP_CALL);
    effect->part.returns = (unsigned)in_group(instruction, X86_GRP_RET);
    effect->part.branches = (unsigned)(jump || effect->part.calls || effect->part.returns);
    effect->control_flow =
        effect->part.branches > 0 || in_group(instruction, X86_GRP_INT) || instruction->id == X86_INS_SYSCALL;
    effect->compares = instruction->id == X86_INS_CMP || instruction->id == X86_INS_TEST;
}

struct effect effect_of(const cs_insn *instruction) {
    struct effect effect = {.part.instructions = 1, .avx512 = is_avx512(instruction)};
    if (begins_with_any(mnemonic_of(instruction), not_countable))
        effect.refused = "its memory accesses or operations cannot be told from the code";
    else if (effect.avx512)
        effect.refused = "it is of AVX-512, which is not counted";
    else
        set_memory(&effect, instruction);
    effect.upper = upper_halves(&effect, instruction);
    if (effect.refused != NULL)
        return effect;
    effect.part.vectors = effect.upper != UPPER_ALONE;
    effect.part.padding = instruction->id == X86_INS_NOP;
    count_memory(&effect, instruction);
    count_arithmetic(&effect, instruction);
    count_avx(&effect, instruction);
    count_control(&effect, instruction);
    int folded = effect.loads && !begins_with_any(mnemonic_of(instruction), pure_loads);
    effect.part.uops = 1 + (unsigned)folded + effect.part.stores;
    return effect;
}
