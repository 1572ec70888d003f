/* string.c - data accesses of rep movs and rep stos: fast-string operation.
 *
 * Intel's Software Developer's Manual (volume 1, "Fast-String Operation"): these instructions work on groups of
 * elements if the string ascends, and source and destination do not overlap within a line. Optimization Reference
 * Manual ("REP String Enhancement"): groups are 16 bytes, from 76 elements on, and may cross lines; with enhanced rep
 * movsb and stosb (ERMSB, shown by the node's CPUID) bytes behave like larger elements. Other conditions depend on
 * the implementation.
 *
 * So a fast string has a clear direction flag, at least 76 elements at its start, and for a copy a distance of at
 * least a line. It makes one access per 16 bytes from its start, and one for the rest; other strings one per element.
 * Fast strings may own lines without reading them: the manuals do not say so, and it is not simulated.
 *
 * Valgrind executes the instruction as a loop over elements; a group is simulated with its first element. If a signal
 * handler interrupts the loop, it later continues in the same group.
 *
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
            trace_push(from, trace_access(TRACE_LOAD, width));
        trace_push(to, trace_access(TRACE_STORE, width));
        string->covered = width / size;
    }
    string->covered--;
    string->left = left - 1;
    string->next = to + (ULong)(step * (Long)size);
}

void string_ended(void) {
    engine.thread[engine.running].string.instruction = 0;
}
