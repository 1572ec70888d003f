/* padding.h - padding that the engine's start (shim/engine_start.c) adds to the environment of a simulated program
 * and the engine removes again (engine/texts.c).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_PADDING_H
#define ASSAY_VNODE_PADDING_H

#define PADDING_VARIABLE "ASSAY_NODE_PADDING"

/* Bytes. The engine moves the stack's start up to a multiple of the step. This is the same address for all programs,
 * except those with very many arguments and variables. The padding is one step long, so there is room to move. */
enum { PADDING_STEP = 64 * 1024 };

#endif
