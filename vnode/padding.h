/* padding.h - room that the engine's start (shim/engine_start.c) leaves in the environment of a simulated program, and
 * that the engine takes out again (engine/texts.c).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_PADDING_H
#define ASSAY_VNODE_PADDING_H

#define PADDING_VARIABLE "ASSAY_NODE_PADDING"

/* The stack begins at a multiple of the step: at the same one for all programs whose arguments and environment are not
 * very large. Each text begins at a multiple of the alignment. */
enum { PADDING_STEP = 64 * 1024, PADDING_ALIGNMENT = 128, PADDING_LINUX_MAX = 120 * 1024 };

/* The filling that aligns that many texts: a step, by which the words may move, and what each alignment takes. */
static inline unsigned long padding_aligned(unsigned long texts) {
    return PADDING_STEP + (texts + 1) * PADDING_ALIGNMENT;
}

/* The filling: without alignment where Linux would not have so long a text. */
static inline unsigned long padding_bytes(unsigned long texts) {
    return padding_aligned(texts) < PADDING_LINUX_MAX ? padding_aligned(texts) : PADDING_STEP;
}

#endif
