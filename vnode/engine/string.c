/* string.c - the data accesses of rep movs and rep stos: fast-string operation.
 *
 * The rule, after Intel's manuals: the Software Developer's Manual (volume 1, "Fast-String Operation") has these
 * instructions work on groups of elements, if the string ascends and source and destination do not overlap within a
 * line; the Optimization Reference Manual ("REP String Enhancement") has the groups be 16 bytes, from 76 elements on,
 * and they may cross lines; with enhanced rep movsb and stosb (ERMSB, which the node's CPUID shows) bytes do as the
 * larger elements. Other conditions are left to the implementation by the manuals. So: direction flag clear, 76
 * elements or more when it starts, and for a copy a distance of a line or more: one access for each 16 bytes from the
 * start on, and for the rest; else one for each element. That fast strings may take ownership of lines without reading
 * them is not in the manuals and not simulated.
 *
 * Valgrind executes the instruction as a loop, element by element; a group is simulated with its first one. When the
 * loop is left (for a signal's handler) and entered again, it goes on where it was.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine.h"
#include "helpers.h"

enum { GROUP_BYTES = 16, FAST_ELEMENTS = 76 };

static Bool overlap(Addr from, Addr to) {
    ULong distance = from < to ? to - from : from - to;
    return distance < engine.node->config.line;
}

static Bool is_fast(ULong elements, Long step, Bool copies, Addr from, Addr to) {
    return step > 0 && elements >= FAST_ELEMENTS && !(copies && overlap(from, to));
}

void engine_string(Addr instruction, ULong element, ULong left, Long step, Addr from, Addr to) {
    const union string_element kind = {.word = element};
    struct engine_string *string = &engine.thread[engine.running].string;
    UInt size = kind.is.size;
    if (string->instruction != instruction || string->left != left || string->next != to) {
        string->instruction = instruction;
        string->fast = is_fast(left + 1, step, kind.is.copies, from, to);
        string->covered = 0;
    }
    if (string->covered == 0) {
        ULong bytes = (left + 1) * size;
        UInt width = !string->fast ? size : bytes < GROUP_BYTES ? (UInt)bytes : GROUP_BYTES;
        if (kind.is.copies)
            engine_load(engine.core, from, width);
        engine_store(engine.core, to, width);
        string->covered = width / size;
    }
    string->covered--;
    string->left = left - 1;
    string->next = to + (ULong)(step * (Long)size);
}

void string_ended(void) {
    engine.thread[engine.running].string.instruction = 0;
}
