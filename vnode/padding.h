/* padding.h - padding that the engine's start (shim/engine_start.c) adds to the environment of a simulated program
 * and the engine removes again (engine/texts.c).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_PADDING_H
#define ASSAY_VNODE_PADDING_H

#define PADDING_VARIABLE "ASSAY_NODE_PADDING"

/* The stack begins at a multiple of PADDING_STEP, the same one unless arguments and environment are very large. Each
 * string begins at a multiple of PADDING_ALIGNMENT. */
enum { PADDING_STEP = 64 * 1024, PADDING_ALIGNMENT = 128, PADDING_LINUX_MAX = 120 * 1024 };

/* Padding that aligns `texts` strings: a step, by which the words may move, plus one alignment per string. */
static inline unsigned long padding_aligned(unsigned long texts) {
    return PADDING_STEP + (texts + 1) * PADDING_ALIGNMENT;
}

/* The padding; without alignment if Linux would refuse a string of that length. */
static inline unsigned long padding_bytes(unsigned long texts) {
    return padding_aligned(texts) < PADDING_LINUX_MAX ? padding_aligned(texts) : PADDING_STEP;
}

#endif
