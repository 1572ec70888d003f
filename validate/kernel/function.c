/* function.c - finds a function in an ELF file and counts it. SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/kernel/function.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "validate/host/symbols.h"
#include "validate/kernel/effect.h"

struct program {
    const char *file;
    struct symbols *symbols;
    struct error *error;
};

/* Offsets of code: from the first instruction to the one after the last. Equal: empty. */
struct range {
    uint64_t begin, end;
};

struct function {
    const char *name;
    const unsigned char *code;
    size_t size;
    struct range loop, guarded;       /* guarded: skipped by the forward jump */
    struct range nested, other;       /* skipped by jumps: inside `guarded`, and from its end */
    uint64_t jump_back, jump_forward; /* offsets of these jumps */
    int is_long;                      /* the text of a pass does not fit */
};

static int find(struct program *program, struct function *function) {
    if (access(program->file, R_OK) != 0)
        return error_set(program->error, "%s: cannot be read; run make", program->file);
    program->symbols = symbols_read(program->file);
    if (program->symbols == NULL)
        return error_set(program->error, "%s: no x86-64 program; run make", program->file);
    function->code = symbols_code(program->symbols, function->name, &function->size);
    return function->code != NULL
               ? 0
               : error_set(program->error, "%s: it has no function %s; run make", program->file, function->name);
}

static int refuse(const struct program *program, const struct function *function, const cs_insn *instruction,
                  const char *why) {
    return error_set(program->error, "%s: %s: '%s %s' cannot be counted: %s; write it differently", program->file,
                     function->name, instruction->mnemonic, instruction->op_str, why);
}

/* Whether a jump skips a part of the guarded part. */
static int is_nested(const struct function *function, uint64_t next, uint64_t target) {
    return function->nested.end == 0 && next > function->guarded.begin && target <= function->guarded.end;
}

/* Accepts the loop's backward jump or a forward jump over a part of the loop. */
static int take_jump(const struct program *program, struct function *function, const cs_insn *instruction,
                     uint64_t target) {
    uint64_t next = instruction->address + instruction->size;
    int is_back = target < instruction->address;
    struct range *range = is_back ? &function->loop : &function->guarded;
    if (!is_back && range->end != 0 && is_nested(function, next, target)) {
        function->nested = (struct range){next, target};
        return 0;
    }
    if (range->end != 0)
        return refuse(program, function, instruction, is_back ? "it is a second loop" : "it is a second jump forward");
    *range = is_back ? (struct range){target, next} : (struct range){next, target};
    *(is_back ? &function->jump_back : &function->jump_forward) = instruction->address;
    return 0;
}

/* Accepts the jump at the end of the guarded part, over `other`. */
static int take_other(struct function *function, const cs_insn *instruction, uint64_t target) {
    uint64_t next = instruction->address + instruction->size;
    if (function->guarded.end == 0 || next != function->guarded.end || target < next)
        return -1;
    function->other = (struct range){next, target};
    return 0;
}

/* A jump must be the loop's own or inside the loop; a return must be the function's last instruction. A call is assumed
 * to return. */
static int check_flow(const struct program *program, struct function *function, const cs_insn *instruction,
                      const struct effect *effect) {
    const cs_x86_op *target = &instruction->detail->x86.operands[0];
    if (instruction->id == X86_INS_RET && instruction->address + instruction->size == function->size)
        return 0;
    if (instruction->id == X86_INS_CALL)
        return 0;
    if (instruction->id == X86_INS_JMP && target->type == X86_OP_IMM &&
        take_other(function, instruction, (uint64_t)target->imm) == 0)
        return 0;
    if (!effect->conditional || target->type != X86_OP_IMM)
        return refuse(program, function, instruction, "how often it is run cannot be told from the code");
    return take_jump(program, function, instruction, (uint64_t)target->imm);
}

/* The skipped part must be inside the loop, without the loop's backward jump. */
static int check_guarded(const struct program *program, const struct function *function) {
    if (function->guarded.end == 0 ||
        (function->jump_forward >= function->loop.begin && function->guarded.end <= function->jump_back &&
         function->other.end <= function->jump_back))
        return 0;
    return error_set(program->error, "%s: %s: it jumps forward to what is not of its loop; write it differently",
                     program->file, function->name);
}

static int is_in(const struct range *range, const cs_insn *instruction) {
    return instruction->address >= range->begin && instruction->address < range->end;
}

static struct kernel_part *part_of(struct function_counts *counts, const struct function *function,
                                   const cs_insn *instruction) {
    if (is_in(&function->nested, instruction))
        return &counts->nested;
    if (is_in(&function->guarded, instruction))
        return &counts->guarded;
    if (is_in(&function->other, instruction))
        return &counts->other;
    return is_in(&function->loop, instruction) ? &counts->pass : &counts->constant;
}

/* Adds an instruction of the loop to its text. */
static void write_down(struct function_counts *counts, struct function *function, const cs_insn *instruction) {
    size_t used = strlen(counts->loop), left = sizeof counts->loop - used;
    const char *operands = instruction->address == function->jump_back ? "loop" : instruction->op_str;
    if (snprintf(counts->loop + used, left, "%s %s\n", instruction->mnemonic, operands) < (int)left)
        return;
    function->is_long = 1;
    counts->loop[0] = '\0';
}

static void take(struct function_counts *counts, struct function *function, const cs_insn *instruction,
                 const struct effect *effect) {
    kernel_part_add(part_of(counts, function, instruction), &effect->part);
    if (is_in(&function->loop, instruction) && function->guarded.end == 0 && !function->is_long)
        write_down(counts, function, instruction);
}

/* Disassembles the function: without `counts` to find its jumps, with `counts` to count. */
static int walk(const struct program *program, struct function *function, csh disassembler,
                struct function_counts *counts) {
    cs_insn *instruction = cs_malloc(disassembler);
    if (instruction == NULL)
        return error_set(program->error, "%s: no memory to count it; free some", program->file);
    const uint8_t *code = function->code;
    size_t left = function->size;
    uint64_t address = 0;
    int result = 0;
    while (left > 0 && result == 0) {
        if (!cs_disasm_iter(disassembler, &code, &left, &address, instruction)) {
            result = error_set(program->error, "%s: %s: the disassembler does not know an instruction of it",
                               program->file, function->name);
            break;
        }
        struct effect effect = effect_of(instruction);
        if (effect.refused != NULL)
            result = refuse(program, function, instruction, effect.refused);
        else if (counts != NULL)
            take(counts, function, instruction, &effect);
        else if (effect.control_flow)
            result = check_flow(program, function, instruction, &effect);
    }
    cs_free(instruction, 1);
    return result;
}

static int count(const struct program *program, struct function *function, csh disassembler,
                 struct function_counts *counts) {
    if (walk(program, function, disassembler, NULL) != 0 || check_guarded(program, function) != 0)
        return -1;
    counts->jumps_apart = function->guarded.end != 0 ? (unsigned)(function->jump_back - function->jump_forward) : 0;
    return walk(program, function, disassembler, counts);
}

int function_count(const char *file, const char *name, struct function_counts *counts, struct error *error) {
    struct program program = {.file = file, .error = error};
    struct function function = {.name = name};
    csh disassembler;
    *counts = (struct function_counts){0};
    int result = find(&program, &function);
    if (result == 0 && cs_open(CS_ARCH_X86, CS_MODE_64, &disassembler) != CS_ERR_OK) {
        result = error_set(error, "%s: Capstone has no x86-64 disassembler; install one that has", file);
    } else if (result == 0) {
        cs_option(disassembler, CS_OPT_DETAIL, CS_OPT_ON);
        result = count(&program, &function, disassembler, counts);
        cs_close(&disassembler);
    }
    symbols_free(program.symbols);
    return result;
}
