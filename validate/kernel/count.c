/* count.c - disassembles an assembled kernel and counts the events of its parts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/kernel/count.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "validate/kernel/effect.h"

/* Bytes of a stream in one pass: above those of any loop that fits in an instruction cache. */
enum { PASS_BYTES_MAX = 1 << 20 };

/* State of the count of a kernel. */
struct counting {
    const char *ptt;
    const struct kernel_object *object;
    const struct kernel_line *lines;
    const unsigned char *code; /* the kernel's first instruction */
    csh disassembler;
    struct kernel_counts *counts;
    struct error *error;
    int previous_compares;  /* the previous instruction may fuse with a jump */
    int is_dirty, is_saved; /* state of the vector registers' upper halves */
};

/* The .ptt's line of the instruction at an offset; 0: it belongs to the frame. */
static unsigned line_at(const struct counting *counting, uint64_t offset) {
    unsigned line = 0;
    for (uint32_t i = 0; i < counting->object->lines && counting->lines[i].offset <= offset; i++)
        line = counting->lines[i].line;
    return offset < counting->object->kernel_end ? line : 0;
}

static int refuse(const struct counting *counting, unsigned line, const cs_insn *instruction, const char *why) {
    return error_set(counting->error, "%s:%u: '%s %s' cannot be counted: %s; write it differently", counting->ptt, line,
                     instruction->mnemonic, instruction->op_str, why);
}

/* The stream pointers, the counter and its end must be preserved: all address computations depend on them. */
static int check_writes(const struct counting *counting, unsigned line, const cs_insn *instruction) {
    cs_regs read, written;
    uint8_t reads, writes;
    if (cs_regs_access(counting->disassembler, instruction, read, &reads, written, &writes) != CS_ERR_OK)
        return refuse(counting, line, instruction, "the registers it writes are not known");
    for (int i = 0; i < writes; i++) {
        unsigned stream;
        switch (register_role(written[i], &stream)) {
        case REGISTER_COUNTER:
            return refuse(counting, line, instruction, "it changes the loop counter GPR1");
        case REGISTER_ELEMENTS:
            return refuse(counting, line, instruction, "it changes the number of elements ARG1");
        case REGISTER_STREAM:
            if (stream < counting->object->streams)
                return refuse(counting, line, instruction, "it changes a stream's pointer");
            break;
        case REGISTER_OTHER:
            break;
        }
    }
    return 0;
}

/* Counts an access of the loop for its stream. */
static int count_stream(struct counting *counting, unsigned line, const cs_insn *instruction,
                        const struct effect *effect) {
    const x86_op_mem *memory = effect->memory;
    unsigned number = 0, none;
    if (memory == NULL || memory->base == X86_REG_RIP || memory->base == X86_REG_RSP)
        return 0; /* constants and spilled registers are not streams */
    if (register_role(memory->base, &number) != REGISTER_STREAM || number >= counting->object->streams)
        return refuse(counting, line, instruction, "its address is no [STRn + GPR1*size + constant]");
    if (register_role(memory->index, &none) != REGISTER_COUNTER)
        return refuse(counting, line, instruction, "its address does not move with the loop counter GPR1");
    if ((unsigned)memory->scale != counting->object->element_bytes)
        return refuse(counting, line, instruction, "it scales GPR1 with another size than that of TYPE");
    struct kernel_stream *stream = &counting->counts->stream[number];
    stream->loads += (unsigned)effect->loads;
    stream->stores += (unsigned)(effect->stores && !effect->non_temporal);
    stream->stores_nt += (unsigned)effect->non_temporal;
    stream->volume_loaded += effect->part.bytes_loaded;
    stream->volume_stored += effect->part.bytes_stored;
    stream->volume_load_stored += effect->part.load_stores * effect->bytes;
    return 0;
}

/* Counts an instruction's SSE/AVX transitions, which depend on the instructions before. */
static void count_transition(struct counting *counting, struct effect *effect) {
    if (effect->upper == UPPER_ALONE)
        return;
    int was_saved = counting->is_saved, keeps = effect->upper == UPPER_KEPT;
    if (effect->upper == UPPER_WRITTEN)
        counting->is_dirty = 1;
    if (effect->upper == UPPER_CLEARED)
        counting->is_dirty = 0;
    counting->is_saved = keeps && counting->is_dirty;
    effect->part.avx_to_sse = counting->is_saved && !was_saved;
    effect->part.sse_to_avx = was_saved && !counting->is_saved && effect->upper != UPPER_CLEARED;
}

/* Adds an instruction to its part. */
static int count_instruction(struct counting *counting, const cs_insn *instruction, struct kernel_part *part) {
    unsigned line = line_at(counting, instruction->address);
    struct effect effect = effect_of(instruction);
    counting->counts->avx512 = effect.avx512;
    if (effect.refused != NULL)
        return refuse(counting, line, instruction, effect.refused);
    if (line != 0) {
        if (effect.control_flow)
            return refuse(counting, line, instruction, "how often a jump is taken cannot be told from the code");
        if (check_writes(counting, line, instruction) != 0)
            return -1;
        if (part == &counting->counts->pass && count_stream(counting, line, instruction, &effect) != 0)
            return -1;
    }
    if (counting->previous_compares && effect.conditional)
        effect.part.uops--;
    counting->previous_compares = effect.compares;
    count_transition(counting, &effect);
    kernel_part_add(part, &effect.part);
    return 0;
}

static int count_part(struct counting *counting, uint32_t begin, uint32_t end, struct kernel_part *part) {
    cs_insn *instruction = cs_malloc(counting->disassembler);
    if (instruction == NULL)
        return error_set(counting->error, "%s: no memory to count it; free some", counting->ptt);
    const uint8_t *code = counting->code + begin;
    size_t left = end - begin;
    uint64_t address = begin;
    int result = 0;
    while (left > 0 && result == 0) {
        uint64_t at = address;
        if (cs_disasm_iter(counting->disassembler, &code, &left, &address, instruction))
            result = count_instruction(counting, instruction, part);
        else
            result = error_set(counting->error,
                               "%s:%u: the disassembler does not know this instruction; write it differently",
                               counting->ptt, line_at(counting, at));
    }
    cs_free(instruction, 1);
    return result;
}

static int count_parts(struct counting *counting) {
    const struct kernel_object *object = counting->object;
    struct kernel_counts *counts = counting->counts;
    struct kernel_part first_pass = {0}; /* it leaves the state in which later passes begin */
    if (count_part(counting, 0, object->loop_begin, &counts->constant) != 0 ||
        count_part(counting, object->loop_begin, object->loop_end, &first_pass) != 0 ||
        count_part(counting, object->loop_begin, object->loop_end, &counts->pass) != 0 ||
        count_part(counting, object->loop_end, object->kernel_end, &counts->constant) != 0 ||
        count_part(counting, object->run_begin, object->sweep_begin, &counts->once) != 0 ||
        count_part(counting, object->sweep_begin, object->sweep_end, &counts->sweep) != 0 ||
        count_part(counting, object->sweep_end, object->run_end, &counts->once) != 0)
        return -1;
    /* Loads around the loop, except those of constants, read pushed registers and the return address. */
    unsigned pushed = counts->constant.stores + 1;
    counts->own_read = 1 + (counts->constant.loads > pushed);
    counts->own_written = 1;
    return 0;
}

static int count_library(void *library, const char *path, struct counting *counting) {
    struct error *error = counting->error;
    const char *run = dlsym(library, KERNEL_RUN_SYMBOL);
    counting->object = dlsym(library, KERNEL_OBJECT_SYMBOL);
    counting->lines = dlsym(library, KERNEL_LINES_SYMBOL);
    if (run == NULL || counting->object == NULL || counting->lines == NULL ||
        counting->object->version != KERNEL_OBJECT_VERSION)
        return error_set(error, "%s: no kernel of version %d; remove it, so that it is assembled again", path,
                         KERNEL_OBJECT_VERSION);
    const struct kernel_object *object = counting->object;
    counting->code = (const unsigned char *)run + object->kernel;
    counting->counts->streams = object->streams;
    counting->counts->elements = object->elements;
    counting->counts->element_bytes = object->element_bytes;
    if ((size_t)object->elements * object->element_bytes > PASS_BYTES_MAX)
        return error_set(error, "%s: LOOP %u is more than a pass can hold; correct it", counting->ptt,
                         object->elements);
    if (cs_open(CS_ARCH_X86, CS_MODE_64, &counting->disassembler) != CS_ERR_OK)
        return error_set(error, "%s: Capstone has no x86-64 disassembler; install one that has", counting->ptt);
    cs_option(counting->disassembler, CS_OPT_DETAIL, CS_OPT_ON);
    int result = count_parts(counting);
    cs_close(&counting->disassembler);
    return result;
}

int kernel_count(const char *object, const char *ptt, struct kernel_counts *counts, struct error *error) {
    *counts = (struct kernel_counts){0};
    void *library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return error_set(error, "%s: %s; remove it, so that it is assembled again", object, dlerror());
    struct counting counting = {.ptt = ptt, .counts = counts, .error = error};
    int result = count_library(library, object, &counting);
    dlclose(library);
    return result;
}
