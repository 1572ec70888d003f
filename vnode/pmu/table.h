/* table.h - what is known of one microarchitecture's performance monitoring unit, as data: where its registers are,
 * and which event select counts what. Plain data without pointers. Read from text: table_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_TABLE_H
#define ASSAY_PMU_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "fields.h"
#include "formula.h"
#include "select.h"

enum {
    TABLE_BOXES = 24,
    TABLE_EVENTS = 1024,
    TABLE_FIELDS = 192,
    TABLE_OPCODES = 32,
    TABLE_DEVICES = 16,
    TABLE_DEVICE_NUMBERS = 16,
    TABLE_REGISTERS = 16,
    TABLE_UNMODELLED = 64,
    TABLE_RESPONSE_BITS = 64,
    TABLE_RESPONSES = 2,
    TABLE_STATES = 16,
    CORE_COUNTERS = 8,
    CORE_FIXED = 4,
    BOX_COUNTERS = 8,
    BOX_FILTERS = 4,
};

enum core_kind { CORE_INTEL, CORE_AMD }; /* core_driver.h */

/* Registers of every core. 0 stands for "has none". */
struct core_layout {
    uint32_t kind;                        /* enum core_kind */
    uint32_t version;                     /* Intel's architectural performance monitoring: 3 to 5 */
    uint32_t select, counter, step;       /* of counter 0, and how far those of the next one are */
    uint32_t counters, width;             /* their number and bits */
    uint32_t fixed_counters, fixed_width; /* FIXCi */
    uint32_t fixed, fixed_control;        /* Intel: of FIXC0, the next ones follow */
    uint32_t control, status, clear, set; /* Intel: global control and status; AMD: what enables fixed counters */
    struct {                              /* AMD */
        uint32_t address, writable;       /* read-only, and where it can be written */
        int enable_bit;                   /* of `control`, -1: it always counts */
    } own[CORE_FIXED];
};

/* How a box is reached: through model specific registers, or as a device of LIKWID's protocol, whose registers have 32
 * bits (PCI: a counter is two of them, the low half at `counter`, the high half 4 above), or are read whole. */
enum box_space { SPACE_MSR, SPACE_PCI, SPACE_PCI64, SPACE_MMIO };

/* One kind of uncore box. The instances of a socket are `step` MSRs apart, or devices of their own; those of domains
 * and cores have the same MSRs, as seen by these. */
struct box_layout {
    char unit[16];       /* as named by events: CBOX */
    char label[16];      /* LIKWID's counter names: '%' is the instance, '@' the counter */
    uint32_t scope;      /* enum scope */
    uint32_t space;      /* enum box_space */
    uint32_t layout;     /* enum select_layout */
    uint32_t width;      /* bits of a counter */
    uint32_t base, step; /* MSR address of instance 0 and distance; added to all addresses below */
    char device[8];      /* not SPACE_MSR */
    uint32_t control, status, filters, counters;
    uint32_t filter[BOX_FILTERS], select[BOX_COUNTERS], counter[BOX_COUNTERS];
    int has_control, has_status;
    uint32_t status_bit;     /* overflow bit of counter 0 in the box's status */
    int overflow_bit;        /* of instance 0 in the socket's status, -1: none */
    uint32_t overflow_group; /* as many instances share a bit */
    int states_filter;       /* which filter selects line states, -1: none */
    uint32_t states_bit;     /* its lowest bit */
    uint32_t states;
    int state_order[TABLE_STATES]; /* enum sim_line_state of each bit, upwards; -1: one that the node has not */
    int opcode_filter;             /* which filter selects requests by their opcode, -1: none */
    uint32_t opcode_bit, opcode_bits;
};

struct table_event {
    char unit[16], name[64];
    uint32_t code, umask;
    int by_filter; /* only lookups in the states, or requests with the opcode, that the box's filters select */
    int cycles;    /* happens once in every cycle that is counted: threshold and invert have a meaning */
    int once;      /* happens at most once in a cycle: a threshold of 1 changes nothing, of more it never happens */
    int merges;    /* makes an odd counter the upper bits of the even one before it */
    struct formula formula;
};

struct table_device {
    char name[8];
    uint32_t likwid_version, numbers; /* from this version of LIKWID's protocol on */
    uint32_t number[TABLE_DEVICE_NUMBERS];
};

enum response_kind { RESPONSE_REQUEST, RESPONSE_SUPPLIER, RESPONSE_SNOOP, RESPONSE_ANY };

/* One bit of an offcore response register. `bits` is a set of the enums of counts.h; 0: nothing that the node does. */
struct response_bit {
    uint32_t bit;
    enum response_kind kind;
    uint32_t bits;
    int forwarded; /* of a snoop hit: -1 either, 0 only data not forwarded by a cache, 1 only forwarded */
};

struct pmu_table {
    struct core_layout core;
    uint32_t freeze_register, freeze_bit, unfreeze_bit, freeze_status; /* 0: none */
    uint32_t registers, stored_register[TABLE_REGISTERS];              /* of a core: remember what is written */
    uint32_t clock_registers;
    struct {
        uint32_t address, hz; /* reads the clock as a multiple of this, in each byte of the mask */
        uint64_t mask;
    } clock[TABLE_REGISTERS];
    uint32_t constants;
    struct {
        uint32_t address;
        uint64_t value;
    } constant[TABLE_REGISTERS];
    uint32_t unmodelled; /* registers that the hardware has and the node has not */
    struct {
        uint32_t address, probes; /* LIKWID reads it that often only to see whether it is there */
        char counter[16];
    } lacking[TABLE_UNMODELLED];
    uint32_t devices;
    struct table_device device[TABLE_DEVICES];
    uint32_t boxes;
    struct box_layout box[TABLE_BOXES];
    uint32_t responses;
    struct {
        uint32_t code, umask, address;
        char name[64]; /* LIKWID's, of the event that takes its filter from the user */
    } response[TABLE_RESPONSES];
    int memory_snoop; /* enum sim_snoop that cores are told when memory answers and no other cache was asked */
    uint32_t response_bits;
    struct response_bit response_bit[TABLE_RESPONSE_BITS];
    uint32_t opcodes;
    struct {
        char unit[16];
        uint32_t opcode, requests; /* bits of enum sim_request */
    } opcode[TABLE_OPCODES];
    uint32_t fields;
    struct table_field field[TABLE_FIELDS];
    uint32_t events; /* those that have a name */
    struct table_event event[TABLE_EVENTS];
};

/* The units of a core's counters, as named by events. */
#define UNIT_PMC "PMC"
#define UNIT_FIXED "FIXC"

/* The event of that code and unit mask which has a name, NULL: none. */
const struct table_event *table_event(const struct pmu_table *table, const char *unit, uint32_t code, uint32_t umask);

/* The event that a unit counts for a code and unit mask, whether it has a name or is made of fields, in `out`. 0, or
 * -1: not modelled. */
int table_decode(const struct pmu_table *table, const char *unit, uint32_t code, uint32_t umask,
                 struct table_event *out);

/* Why a counter cannot count the event as its select says, NULL: it can. What never happens does not on any condition,
 * unless that is inverted. */
const char *table_condition_error(const struct table_event *event, const struct selection *selection);

/* The requests (bits of enum sim_request) that have an opcode in a unit, 0: none that the node has. */
uint32_t table_opcode(const struct pmu_table *table, const char *unit, uint32_t opcode);

/* The protocol's number of instance `instance` of a device in a version of LIKWID, -1: it has none. */
int table_device(const struct pmu_table *table, const char *name, uint32_t likwid_version, uint32_t instance);

/* Bits of a unit's counters. `unit` exists. */
uint32_t table_width(const struct pmu_table *table, const char *unit);

#endif
