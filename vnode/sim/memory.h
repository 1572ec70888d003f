/* memory.h - home agents and memory channels of a NUMA domain, and the links between sockets.
 *
 * Channel of a line: its number modulo the channels of its home; each agent has an equal run of channels.
 * The agent counts a request when it arrives, the channel counts a CAS when it moves a line: in two places, so that
 * a request that is lost between them shows as a difference. Link of a line that goes to another socket: its number
 * modulo the links of the socket that sends it; it arrives by the link of the same number. Where a line lies behind its
 * channel: dram.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_MEMORY_H
#define ASSAY_SIM_MEMORY_H

#include "hardware.h"

/* A line of data goes from a socket to another, or stays in the socket. */
void memory_send(struct sim *sim, uint32_t from, uint32_t to, uint64_t line);

/* The same of a snoop for the line. */
void memory_send_snoop(struct sim *sim, uint32_t from, uint32_t to, uint64_t line);

/* The home hears what a domain answers to a snoop that socket `from` sent. */
void memory_answer(struct sim *sim, uint32_t home, uint64_t line, uint32_t from, enum sim_answer answer);

/* Socket `from` asks the home for a line. `needs_memory`: no cache supplies it, so DRAM is read. */
void memory_read(struct sim *sim, uint32_t home, uint64_t line, uint32_t from, int needs_memory);

/* Socket `from` sends a line, or with `partial` less than a line, to the home. */
void memory_write(struct sim *sim, uint32_t home, uint64_t line, uint32_t from, int partial);

#endif
