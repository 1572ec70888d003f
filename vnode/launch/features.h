/* features.h - the instruction sets of the node's processor.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_FEATURES_H
#define ASSAY_LAUNCH_FEATURES_H

#include <stdint.h>
#include <stdio.h>

#include "vnode/identity.h"

/* The words of CPUID that a node on this host shows. */
void features_of_node(uint32_t words[IDENTITY_WORDS]);

/* Their names as in /proc/cpuinfo, each behind a blank, and those that Linux adds for such a processor. */
void features_write(const uint32_t words[IDENTITY_WORDS], FILE *file);

#endif
