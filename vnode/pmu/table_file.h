/* table_file.h - the performance monitoring unit of a microarchitecture as text, groups/ARCH/pmu.events: one thing a
 * line; '#' starts a comment. Numbers are decimal or 0x hexadecimal, addresses those of registers.
 *
 *     core intel VERSION KEY NUMBER ...       registers of every core; VERSION of architectural performance monitoring,
 *                                             3 to 5. Keys: select A, counter A, counters N, width BITS of PMC0 and its
 *                                             followers; fixed A, fixed_counters N, fixed_width BITS of FIXC0 and its
 *                                             followers; fixed_control A, control A (global), status A, clear A (of
 *                                             status bits), set A (of status bits, from version 4 on)
 *     core amd KEY NUMBER ...                 select A, counter A, step N (from one counter to the next), counters N,
 *                                             width BITS of PMC0 and its followers; fixed_width BITS, control A (which
 *                                             enables fixed counters that need it)
 *     fixed I ADDRESS [writable A] [enable B] FIXCi of an AMD core, read-only at ADDRESS: counts always, or while bit B
 *                                             of the core's control is set
 *     freeze ADDRESS FREEZE_BIT UNFREEZE_BIT STATUS   global control of a socket's uncore
 *     stored ADDRESS                          a core's register that only remembers what is written
 *     ratio ADDRESS MASK HZ                   reads the nominal clock in units of HZ, in every byte of MASK
 *     constant ADDRESS VALUE                  a core's register that reads always the same
 *     unmodelled ADDRESS COUNTER PROBES       reported when it is read more than PROBES times (LIKWID's probing)
 *     device NAME LIKWID NUMBER...            devices of a kind in LIKWID's protocol, from that version on (50202 for
 *                                             5.2.2): of instance 0, 1, ...; what is beyond the list follows its last
 *     box UNIT LABEL SCOPE SPACE width BITS [KEY NUMBER...]...
 *         LABEL    LIKWID's names of counters: '%' is the instance within the socket, '@' the counter
 *         SCOPE    slice | domain | channel | agent | numa | link | socket | core: there is one of each. A domain is
 *                  what shares a last-level cache. Instances are numbered over a socket, but those of domains and of
 *                  cores, which have one name and the same registers
 *         SPACE    msr BASE STEP    model specific registers: to all addresses below come BASE and STEP * instance
 *                  pci DEVICE       32 bits; a counter is two of them, at its address and 4 above
 *                  pci64 DEVICE     a counter is read whole
 *                  mmio DEVICE      the same, mapped memory
 *         KEY      control A | status A | filter A... | select A... | counter A... (as many as selects)
 *                  layout intel|l3|fabric   of the selects; intel unless given (select.h)
 *                  status_bit B     of counter 0 in the box's status
 *                  overflow B N     bit of instance 0 in the socket's status; N instances share one
 *                  opcodes FILTER B N         the N bits from bit B on of the filter select requests by their opcode
 *                  states FILTER B STATE...   comes last: the states of lines that the filter selects from bit B on,
 *                                   I S E F M O, or - for one that lines do not have here
 *     response CODE UMASK ADDRESS NAME        event select that uses an offcore response register
 *     memory_snoop NAME                       snoop result with data from memory when no other cache was asked
 *     response_bit BIT request|supplier|snoop|any NAME... [forwarded|unforwarded]
 *                                             NAME none: nothing that the node ever does
 *     opcode UNIT OPCODE REQUEST...           which requests (counts.h) have an opcode in the box's filter
 *     field UNIT CODE MASK[&MASK...][!MASK] = FORMULA | ?
 *                                             a field of the unit masks of a code (fields.h): unit masks with a bit of
 *                                             each MASK, and none of the one behind !, count this, besides what other
 *                                             fields say; ?: nobody knows
 *     event UNIT CODE UMASK NAME [cycles] [once] [merge] [= FORMULA]
 *         UNIT     PMC, FIXC (CODE is its number) or a box's
 *         FORMULA  is made of totals of the unit's places (formula.h); 0: the node truly never does it. Without it the
 *                  fields of its code say what it counts
 *         cycles   once in every cycle, so that threshold and invert have a meaning
 *         once     at most once in a cycle: a threshold of 1 changes nothing, of more it never happens
 *         merge    makes an odd counter the upper bits of the one before it
 *
 * What a line refers to comes before it. {B:0-15} in a line stands for several lines (repeat.h); a number may be a sum,
 * 0xb0+3. What has neither a formula nor fields is reported as not counted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_TABLE_FILE_H
#define ASSAY_PMU_TABLE_FILE_H

#include "table.h"

/* Reads `path`. NULL, or one line "file:line: what" (in `error`). */
const char *table_load(const char *path, struct pmu_table *out, char *error, size_t error_size);

#endif
