/* padding.h - padding that the engine's start (shim/engine_start.c) adds to the environment of a simulated program
 * and the engine removes again (engine/texts.c).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_PADDING_H
#define ASSAY_VNODE_PADDING_H

#define PADDING_VARIABLE "ASSAY_NODE_PADDING"

/* The stack begins at a multiple of the step: at the same one for all programs whose arguments and environment have not
 * very many texts. The filling is one step, by which the words may move. */
enum { PADDING_STEP = 64 * 1024 };

#endif
