/* table_file.h - the performance monitoring unit of a microarchitecture as text, pmu.events of the built groups: one
 * entry per line; '#' starts a comment. Numbers are decimal or 0x hexadecimal; A stands for a register address.
 *
 *     core intel VERSION KEY NUMBER ...       registers of every core; VERSION of architectural performance monitoring,
 *                                             3 to 5. Keys: select A, counter A, counters N, width BITS (PMC0, PMC1,
 *                                             ...); fixed A, fixed_counters N, fixed_width BITS (FIXC0, FIXC1, ...);
 *                                             fixed_control A, control A (global), status A, clear A (of status
 *                                             bits), set A (of status bits, from version 4 on)
 *     core amd KEY NUMBER ...                 select A, counter A, step N (distance of counters), counters N, width
 *                                             BITS (PMC0, PMC1, ...); fixed_width BITS, control A (enables fixed
 *                                             counters)
 *     fixed I ADDRESS [writable A] [enable B] FIXCi of an AMD core, read-only at ADDRESS: counts always, or while
 *                                             bit B of the core's control is set
 *     freeze ADDRESS FREEZE_BIT UNFREEZE_BIT STATUS [DEVICE]   global control of a socket's uncore: model specific
 *                                             registers, or those of a device. The same bit twice: boxes are frozen
 *                                             while it is 0; "-" as UNFREEZE_BIT: while FREEZE_BIT is 1
 *     stored ADDRESS                          a core's register that only stores what is written
 *     ratio ADDRESS MASK HZ                   reads as the nominal clock in units of HZ, in every byte of MASK
 *     constant ADDRESS VALUE                  a core's register that always reads VALUE
 *     prefetchers ADDRESS                     a core's register in which bit n disables prefetcher n of enum
 *                                             sim_prefetcher
 *     unmodelled ADDRESS COUNTER PROBES       reported when read more than PROBES times (LIKWID's probes)
 *     device NAME LIKWID NUMBER...            numbers of a kind of device in LIKWID's protocol, from that version on
 *                                             (50202 for 5.2.2), by instance; later instances continue the last one
 *     box UNIT LABEL SCOPE SPACE width BITS [KEY NUMBER...]...
 *         LABEL    LIKWID's counter names: '%' is the instance within the socket, '@' the counter
 *         SCOPE    slice | domain | channel | agent | numa | link | socket | core: one box for each. A domain is
 *                  the cores that share a last-level cache. Instances are numbered per socket; boxes of domains and of
 *                  cores all have the same name and registers
 *         SPACE    msr BASE STEP    model specific registers: BASE + STEP * instance is added to all addresses below
 *                  pci DEVICE       32 bits; a counter is two registers, at its address and 4 above
 *                  pci64 DEVICE     a counter is one register
 *                  mmio DEVICE      the same, mapped memory
 *         KEY      control A | status A | filter A... | select A... | counter A... (as many as selects)
 *                  always SELECT...  instead of selects: read-only counters that always count; nothing freezes them
 *                  layout intel|l3|fabric|fabric12|umc|wide|found   of the selects; default intel (select.h)
 *                  gap I BASE       msr: instance I has that base, and later ones follow it, up to the next gap
 *                  status_bit B     of counter 0 in the box's status
 *                  overflow B N     bit of instance 0 in the socket's status; N instances share one
 *                  opcodes FILTER B N         N bits of the filter, from bit B, select requests by opcode
 *                  states FILTER B STATE...   last key: line states that the filter selects, from bit B: I S E F M O,
 *                                   or - for a state that the node does not have; FILTER "select": in the counter's
 *                                   own select
 *     response CODE UMASK ADDRESS NAME [BITS] event select that uses an offcore response register; BITS: those that
 *                                             Linux lets its filter have (default: all)
 *     memory_snoop NAME                       snoop result of data from memory if no other cache was snooped
 *     response_bit BIT request|supplier|snoop|any NAME... [forwarded|unforwarded]
 *                                             NAME none: never happens on the node
 *     generic NAME SELECT                     Linux' name of an event that it has on all processors, and the event
 *                                             select for it (perf list: cpu-cycles, L1-dcache-load-misses)
 *     driver UNIT NAME [ALIAS SELECT]...      Linux' name of the boxes' PMUs (uncore_imc), and its names of event
 * selects that count lines of 64 bytes opcode UNIT OPCODE REQUEST...           the requests (counts.h) with an opcode
 * in the box's filter field UNIT CODE MASK[&MASK...][!MASK] = FORMULA | ? a field of a code's unit mask (fields.h):
 * FORMULA is added for unit masks with a bit of each MASK and none of the one after !;
 *                                             ?: count unknown
 *     event UNIT CODE UMASK NAME [cycles] [once] [merge] [= FORMULA]
 *         UNIT     PMC, FIXC (CODE is its number) or a box's
 *         FORMULA  of totals of the unit's places (formula.h); 0: the node truly never does it. Without it the
 *                  fields of its code apply
 *         cycles   once per cycle, so threshold and invert apply
 *         once     at most once per cycle: threshold 1 changes nothing, a higher one gives 0
 *         merge    turns an odd counter into the upper bits of the one before it
 *
 * A line may refer only to earlier lines. {B:0-15} expands a line into several (repeat.h); a number may be a sum,
 * 0xb0+3. A line of an event with neither formula nor fields is an error; an event with neither line nor fields is
 * reported as not counted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_TABLE_FILE_H
#define ASSAY_PMU_TABLE_FILE_H

#include "table.h"

/* Reads `path`. NULL, or one line "file:line: what" (in `error`). */
const char *table_load(const char *path, struct pmu_table *out, char *error, size_t error_size);

#endif
