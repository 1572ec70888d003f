/* memory.h - home agents and memory channels of a NUMA domain, and the links between sockets.
 *
 * Channel of a line: line number modulo the channels of its home; each agent has an equal run of channels. The agent
 * counts a request on arrival, the channel counts a CAS when it moves a line: a request lost between them shows as a
 * difference. Link of a line to another socket: line number modulo the links of the sending socket; it arrives on the
 * link of the same number. Places within a channel: dram.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_MEMORY_H
#define ASSAY_SIM_MEMORY_H

#include "hardware.h"

/* Sends a data line from one socket to another; nothing if both are the same. */
void memory_send(struct sim *sim, uint32_t from, uint32_t to, uint64_t line);

/* The same for a snoop of the line. */
void memory_send_snoop(struct sim *sim, uint32_t from, uint32_t to, uint64_t line);

/* Tells the home a domain's answer to a snoop that socket `from` sent. */
void memory_answer(struct sim *sim, uint32_t home, uint64_t line, uint32_t from, enum sim_answer answer);

/* Socket `from` requests a line from its home. `needs_memory`: no cache supplies it, so DRAM is read. */
void memory_read(struct sim *sim, uint32_t home, uint64_t line, uint32_t from, int needs_memory);

/* Socket `from` writes a line, or part of one if `partial`, to its home. */
void memory_write(struct sim *sim, uint32_t home, uint64_t line, uint32_t from, int partial);

#endif
