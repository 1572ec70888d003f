/* wrong_path.h - speculative branches on the wrong path of a mispredicted one, until that is resolved.
 *
 * The front end knows of places that it has been to which branch comes next: 512 entries by
 * (address xor address >> 9) modulo 512, of the branches that end within a wrong path's reach. From where it was led
 * wrongly it goes from branch to branch: conditional ones as the predictor says with the directions that it would have
 * seen then, direct ones to their target. It begins each branch of which it has all bytes, and ends at one whose target
 * no instruction names, at a place that it knows nothing of, and at its reach: WRONG_PATH_FETCH bytes for each cycle of
 * a misprediction. Nothing else is done there: no cache, no TLB, no predictor learns of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_WRONG_PATH_H
#define ASSAY_SIM_WRONG_PATH_H

#include <stddef.h>
#include <stdint.h>

#include "hardware.h"

/* Bytes a cycle that are fetched (Intel's optimisation reference manual: Sandy Bridge to Broadwell, 16). */
enum { WRONG_PATH_PLACES = 512, WRONG_PATH_FETCH = 16 };

/* Bytes of zeroed memory that one core needs. */
size_t wrong_path_bytes(void);
void wrong_path_init(struct wrong_path *wrong_path, void *memory);

/* Learns that the core has got from where it was led to this branch, which leads it to `follower`. */
void wrong_path_learn(struct sim_core *core, const struct branch *branch, uint64_t follower);

/* Counts speculative branches from `start` on, with `history` as the predictor's. */
void wrong_path_follow(struct sim_core *core, uint64_t start, uint32_t history);

#endif
