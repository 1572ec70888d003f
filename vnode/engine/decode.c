/* decode.c - decodes prefixes, opcode map and ModRM of an instruction, and looks them up in tables.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "decode.h"

enum { NP = 1, P66 = 2, PF3 = 4, PF2 = 8, ANY = 15 };
enum { MEMORY = 1, REGISTER = 2, EITHER = 3 };

struct row {
    UChar map, prefixes, first, last, reg, form, result;
};

static const struct row kinds[] = {
#define ROW(map, prefixes, first, last, reg, form, kind) {map, prefixes, first, last, reg, form, INSTRUCTION_##kind},
#include "instructions.def"
#undef ROW
};

static const struct row avx_classes[] = {
#define ROW(map, prefixes, first, last, reg, form, class) {map, prefixes, first, last, reg, form, AVX_##class},
#include "avx_insts.def"
#undef ROW
};

enum fp_row {
    FP_ROW_NONE,
    FP_ROW_ADD,
    FP_ROW_ADD_PACKED,
    FP_ROW_MULTIPLY,
    FP_ROW_DIVIDE,
    FP_ROW_DOT_SINGLE,
    FP_ROW_DOT_DOUBLE,
    FP_ROW_OTHER
};

static const struct row fp_rows[] = {
#define ROW(map, prefixes, first, last, reg, form, row) {map, prefixes, first, last, reg, form, FP_ROW_##row},
#include "fp_insts.def"
#undef ROW
};

static const struct row sse_rows[] = {
#define ROW(map, prefixes, first, last, reg, form, use) {map, prefixes, first, last, reg, form, UPPER_##use},
#include "sse_insts.def"
#undef ROW
};

struct encoding {
    UChar map, prefix, opcode, reg, form;
    Bool vex, wide, long_vector, repeated, locked, short_address, has_modrm;
};

static UChar look_up(const struct row *rows, UInt count, const struct encoding *e, UChar otherwise) {
    for (UInt i = 0; i < count; i++) {
        const struct row *r = &rows[i];
        if (r->map == e->map && (r->prefixes & e->prefix) && r->first <= e->opcode && e->opcode <= r->last &&
            (r->reg >> e->reg & 1) && (r->form & e->form))
            return r->result;
    }
    return otherwise;
}

/* One-byte opcodes with a ModRM byte, one bit each, 16 per number. */
static Bool one_byte_has_modrm(UChar opcode) {
    static const UShort modrm[16] = {0x0f0f, 0x0f0f, 0x0f0f, 0x0f0f, 0x0000, 0x0000, 0x0a08, 0x0000,
                                     0xffff, 0x0000, 0x0000, 0x0000, 0x00c3, 0xff0f, 0x0000, 0xc0c0};
    return modrm[opcode >> 4] >> (opcode & 15) & 1;
}

/* Two-byte opcodes without one: system calls, conditional jumps, push and pop of segments, bswap ... */
static Bool two_byte_has_modrm(UChar opcode) {
    static const UShort none[16] = {0x4be0, 0x0000, 0x0000, 0xffff, 0x0000, 0x0000, 0x0000, 0x0080,
                                    0xffff, 0x0000, 0x0707, 0x0000, 0xff00, 0x0000, 0x0000, 0x0000};
    return !(none[opcode >> 4] >> (opcode & 15) & 1);
}

static UInt skip_prefixes(const UChar *code, UInt length, struct encoding *e) {
    UInt at = 0;
    for (; at < length; at++) {
        switch (code[at]) {
        case 0xf3:
            e->prefix = PF3;
            e->repeated = True;
            break;
        case 0xf2:
            e->prefix = PF2;
            e->repeated = True;
            break;
        case 0x66:
            if (e->prefix == NP)
                e->prefix = P66;
            break;
        case 0xf0:
            e->locked = True;
            break;
        case 0x2e:
        case 0x36:
        case 0x3e:
        case 0x26:
        case 0x64:
        case 0x65:
            break;
        case 0x67:
            e->short_address = True;
            break;
        default:
            if ((code[at] & 0xf0) != 0x40) /* REX is not needed here; before other prefixes it is void */
                return at;
        }
    }
    return at;
}

/* Bytes of VEX: C5 RvvvvLpp, or C4 RXBmmmmm WvvvvLpp. */
static UInt read_vex(const UChar *code, struct encoding *e) {
    static const UChar prefix_of_pp[4] = {NP, P66, PF3, PF2};
    Bool three = code[0] == 0xc4;
    UChar last = three ? code[2] : code[1];
    e->vex = True;
    e->map = three ? code[1] & 0x1f : 1;
    e->wide = three && last >> 7;
    e->long_vector = last >> 2 & 1;
    e->prefix = prefix_of_pp[last & 3];
    return three ? 3 : 2;
}

static UInt read_map(const UChar *code, UInt left, struct encoding *e) {
    if (left >= 3 && (code[0] == 0xc4 || code[0] == 0xc5)) /* les and lds do not exist in 64-bit mode */
        return read_vex(code, e);
    UInt at = 0;
    if (at < left && code[at] == 0x0f) {
        e->map = 1;
        at++;
        if (at < left && (code[at] == 0x38 || code[at] == 0x3a)) {
            e->map = code[at] == 0x38 ? 2 : 3;
            at++;
        }
    }
    return at;
}

static struct encoding read_encoding(const UChar *code, UInt length) {
    struct encoding e = {.prefix = NP, .form = REGISTER};
    UInt at = skip_prefixes(code, length, &e);
    if (at < length)
        at += read_map(code + at, length - at, &e);
    if (at >= length)
        return e;
    e.opcode = code[at++];
    e.has_modrm = e.map == 0 ? one_byte_has_modrm(e.opcode) : e.map == 1 ? two_byte_has_modrm(e.opcode) : True;
    if (e.has_modrm && at < length) {
        e.reg = code[at] >> 3 & 7;
        e.form = code[at] >> 6 == 3 ? REGISTER : MEMORY;
    }
    return e;
}

/* div and sqrt, packed and scalar: 0F 5E, 0F 51. The divider is 128 bits wide. Integer div and idiv: F6 and F7 /6, /7;
 * it is not documented how many micro-operations of them the divider takes. */
static UInt divider_uops(const struct encoding *e) {
    if (e->map == 0 && (e->opcode & 0xfe) == 0xf6 && e->reg >= 6)
        return 1;
    if (e->map != 1 || (e->opcode != 0x51 && e->opcode != 0x5e))
        return 0;
    Bool packed = e->prefix == NP || e->prefix == P66;
    return e->vex && e->long_vector && packed ? 2 : 1;
}

/* VEX instructions all use vectors, except those on general registers (BMI) and the control register. */
static enum upper_use vectors_of(const struct encoding *e) {
    if (!e->vex)
        return (enum upper_use)look_up(sse_rows, sizeof sse_rows / sizeof sse_rows[0], e, UPPER_UNUSED);
    if (e->map == 1 && e->opcode == 0x77)
        return UPPER_ZEROED;
    if ((e->map > 1 && e->opcode >= 0xf0) || (e->map == 1 && e->opcode == 0xae))
        return UPPER_UNUSED;
    return e->long_vector ? UPPER_VEX_256 : UPPER_VEX_128;
}

static void set_fp_class(struct instruction *out, const struct encoding *e, Bool scalar_fma) {
    static const enum fp_kind kinds_of[] = {FP_OTHER,  FP_ADD, FP_ADD, FP_MULTIPLY, /* in the order of enum fp_row */
                                            FP_DIVIDE, FP_DOT, FP_DOT, FP_OTHER};
    enum fp_width packed = e->vex && e->long_vector ? FP_256 : FP_128;
    enum fp_row row = (enum fp_row)look_up(fp_rows, sizeof fp_rows / sizeof fp_rows[0], e, FP_ROW_NONE);
    out->arithmetic = True;
    if (out->kind == INSTRUCTION_FMA)
        out->fp_class = fp_class(FP_FUSED, scalar_fma ? FP_SCALAR : packed, e->wide);
    else if (row == FP_ROW_NONE)
        out->arithmetic = False;
    else if (row == FP_ROW_DOT_SINGLE || row == FP_ROW_DOT_DOUBLE)
        out->fp_class = fp_class(FP_DOT, packed, row == FP_ROW_DOT_DOUBLE);
    else if (row == FP_ROW_ADD_PACKED)
        out->fp_class = fp_class(FP_ADD, packed, e->prefix == P66);
    else
        out->fp_class = fp_class(kinds_of[row], e->prefix & (PF3 | PF2) ? FP_SCALAR : packed, e->prefix & (P66 | PF2));
}

struct instruction decode(const UChar *code, UInt length) {
    struct encoding e = read_encoding(code, length);
    struct instruction out = {.has_memory = e.form == MEMORY, .repeated = e.repeated, .avx = AVX_NONE};
    if (e.vex || e.map < 2)
        out.kind = (enum instruction_kind)look_up(kinds, sizeof kinds / sizeof kinds[0], &e, INSTRUCTION_OTHER);
    if (e.short_address && (out.kind == INSTRUCTION_STRING_COPY || out.kind == INSTRUCTION_STRING_FILL))
        out.kind = INSTRUCTION_STRING;
    out.locked = e.locked || out.kind == INSTRUCTION_EXCHANGE;
    Bool scalar_fma = out.kind == INSTRUCTION_FMA && (e.opcode & 9) == 9; /* x9, xB, xD, xF; the others are packed */
    if (out.kind == INSTRUCTION_FMA)
        out.memory_size = scalar_fma ? (e.wide ? 8 : 4) : e.long_vector ? 32 : 16;
    out.divider_uops = divider_uops(&e);
    out.vectors = vectors_of(&e);
    set_fp_class(&out, &e, scalar_fma);
    if (e.vex && e.long_vector && !scalar_fma)
        out.avx = (enum avx_class)look_up(avx_classes, sizeof avx_classes / sizeof avx_classes[0], &e, AVX_CALC);
    return out;
}
