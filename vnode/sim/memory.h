/* memory.h - home agents and memory channels of a socket.
 *
 * Channel of a line: its number modulo the channels of its home socket; each agent has an equal run of channels.
 * The agent counts a request when it arrives, the channel counts a CAS when it moves a line: in two places, so that
 * a request that is lost between them shows as a difference.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_MEMORY_H
#define ASSAY_SIM_MEMORY_H

#include "hardware.h"

/* Socket `from` asks the home agent for a line. `needs_memory`: no cache supplies it, so DRAM is read. */
void memory_read(struct sim *sim, uint32_t home, uint64_t line, uint32_t from, int needs_memory);

/* Socket `from` sends a line, or with `partial` less than a line, to the home agent. */
void memory_write(struct sim *sim, uint32_t home, uint64_t line, uint32_t from, int partial);

#endif
