/* features.h - the instruction sets of the node's processor.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_FEATURES_H
#define ASSAY_LAUNCH_FEATURES_H

#include <stdint.h>
#include <stdio.h>

#include "node_desc.h"
#include "vnode/identity.h"

/* The CPUID feature words of such a node on this host. */
void features_of_node(const struct node_desc *desc, uint32_t words[IDENTITY_WORDS]);

/* Adds a feature, named as in /proc/cpuinfo, to the words. 0, or -1: unknown name. */
int features_add(const char *name, uint32_t words[IDENTITY_WORDS]);

/* Writes the features' names as in /proc/cpuinfo, each after a blank, including those that Linux adds for such a
 * processor. */
void features_write(const struct node_desc *desc, const uint32_t words[IDENTITY_WORDS], FILE *file);

#endif
