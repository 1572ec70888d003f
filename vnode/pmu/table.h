/* table.h - the performance monitoring unit of a microarchitecture as data: its registers, and what each event select
 * counts. Plain data without pointers. table_file.h reads it from text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_TABLE_H
#define ASSAY_PMU_TABLE_H

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
    TABLE_GENERICS = 40,
    TABLE_DRIVERS = 8,
    TABLE_ALIASES = 2,
    CORE_COUNTERS = 8,
    CORE_FIXED = 4,
    BOX_COUNTERS = 16,
    BOX_FILTERS = 4,
    BOX_GAPS = 2,
    DEVICE_NAME = 8,
    WHILE_SET = 64, /* as unfreeze_bit: boxes are frozen while freeze_bit is set */
};

enum core_kind { CORE_INTEL, CORE_AMD }; /* core_driver.h */

/* Registers of every core. 0: none. */
struct core_layout {
    uint32_t kind;                        /* enum core_kind */
    uint32_t version;                     /* Intel's architectural performance monitoring: 3 to 5 */
    uint32_t select, counter, step;       /* of counter 0, and distance to the next counter's */
    uint32_t counters, width;             /* their number and bits */
    uint32_t fixed_counters, fixed_width; /* FIXCi */
    uint32_t fixed, fixed_control;        /* Intel: FIXC0, the others follow */
    uint32_t control, status, clear, set; /* Intel: global control and status; AMD: control enables fixed counters */
    struct {                              /* AMD */
        uint32_t address, writable;       /* read-only address, and writable one */
        int enable_bit;                   /* bit of `control`, -1: always counts */
    } own[CORE_FIXED];
};

/* How a box is accessed: model specific registers; or a device of LIKWID's protocol with 32-bit registers (PCI: a
 * counter is two of them, low half at `counter`, high half 4 above) or full-width ones (PCI64, MMIO). */
enum box_space { SPACE_MSR, SPACE_PCI, SPACE_PCI64, SPACE_MMIO };

/* One kind of uncore box. Instances of a socket are `step` MSRs apart, or separate devices. Boxes of domains and
 * cores have the same MSR addresses, accessed from their own cores. */
struct box_layout {
    char unit[16];       /* as named by events: CBOX */
    char label[16];      /* LIKWID's counter names: '%' is the instance, '@' the counter */
    uint32_t scope;      /* enum scope */
    uint32_t space;      /* enum box_space */
    uint32_t layout;     /* enum select_layout */
    uint32_t width;      /* bits of a counter */
    uint32_t base, step; /* MSR address of instance 0 and distance; added to all addresses below */
    uint32_t gaps;       /* instances from `first` on, ascending, begin at another base */
    struct {
        uint32_t first, base;
    } gap[BOX_GAPS];
    char device[DEVICE_NAME]; /* not SPACE_MSR */
    uint32_t control, status, filters, counters;
    uint32_t filter[BOX_FILTERS], select[BOX_COUNTERS], counter[BOX_COUNTERS];
    int has_control, has_status;
    int always;              /* `select` holds the values of selects that no register has */
    uint32_t status_bit;     /* overflow bit of counter 0 in the box's status */
    int overflow_bit;        /* bit of instance 0 in the socket's status, -1: none */
    uint32_t overflow_group; /* number of instances that share a bit */
    int states_filter;       /* filter that selects line states, -1: none, BOX_FILTERS: the counter's select */
    uint32_t states_bit;     /* its lowest bit */
    uint32_t states;
    int state_order[TABLE_STATES]; /* enum sim_line_state of each bit, upwards; -1: not in this node */
    int opcode_filter;             /* filter that selects requests by opcode, -1: none */
    uint32_t opcode_bit, opcode_bits;
};

struct table_event {
    char unit[16], name[64];
    uint32_t code, umask;
    int by_filter; /* counts only lookups or requests that match the box's state or opcode filter */
    int cycles;    /* happens once per counted cycle: threshold and invert apply */
    int once;      /* happens at most once per cycle: threshold 1 changes nothing, a higher one gives 0 */
    int merges;    /* turns an odd counter into the upper bits of the even one before it */
    struct formula formula;
};

struct table_device {
    char name[DEVICE_NAME];
    uint32_t likwid_version, numbers; /* minimum version of LIKWID, number of instances */
    uint32_t number[TABLE_DEVICE_NUMBERS];
};

/* An event that Linux' perf_event names on every processor: its name in perf, its type and number there
 * (generic.h), and the event select for it. */
struct table_generic {
    char name[32];
    uint32_t type;
    uint64_t config, select;
};

/* A kind of box as Linux has it: each instance is a PMU of that name, with a number if there are several. The first
 * one's type in perf_event is DRIVER_TYPE, and further ones follow. */
struct table_driver {
    uint32_t box;
    char name[24];
    uint32_t aliases; /* named selects that count lines of 64 bytes */
    struct {
        char name[24];
        uint64_t select;
    } alias[TABLE_ALIASES];
};

enum { DRIVER_TYPE = 10 };

enum response_kind { RESPONSE_REQUEST, RESPONSE_SUPPLIER, RESPONSE_SNOOP, RESPONSE_ANY };

/* One bit of an offcore response register. `bits`: set of values of an enum of counts.h; 0: never happens on the
 * node. */
struct response_bit {
    uint32_t bit;
    enum response_kind kind;
    uint32_t bits;
    int forwarded; /* for a snoop hit: -1 any, 0 only data not forwarded by a cache, 1 only forwarded data */
};

struct pmu_table {
    struct core_layout core;
    uint32_t freeze_register, freeze_bit, unfreeze_bit, freeze_status; /* 0: none */
    char freeze_device[DEVICE_NAME];                                   /* "": they are model specific registers */
    uint32_t registers, stored_register[TABLE_REGISTERS];              /* of a core: store what is written */
    uint32_t clock_registers;
    struct {
        uint32_t address, hz; /* reads as the clock in units of hz, in each byte of the mask */
        uint64_t mask;
    } clock[TABLE_REGISTERS];
    uint32_t constants;
    struct {
        uint32_t address;
        uint64_t value;
    } constant[TABLE_REGISTERS];
    uint32_t prefetch_control; /* a core's register whose bits disable the prefetchers, 0: none */
    uint32_t unmodelled;       /* counters that the hardware has and the node does not model */
    struct {
        uint32_t address, probes; /* probes: reads that LIKWID makes only to test for it */
        char counter[16];
    } lacking[TABLE_UNMODELLED];
    uint32_t devices;
    struct table_device device[TABLE_DEVICES];
    uint32_t boxes;
    struct box_layout box[TABLE_BOXES];
    uint32_t responses;
    struct {
        uint32_t code, umask, address;
        char name[64];     /* LIKWID's name of the event with a user-defined filter */
        uint64_t accepted; /* bits that Linux lets a filter have */
    } response[TABLE_RESPONSES];
    int memory_snoop; /* enum sim_snoop reported if memory answers without a snoop of other caches */
    uint32_t response_bits;
    struct response_bit response_bit[TABLE_RESPONSE_BITS];
    uint32_t opcodes;
    struct {
        char unit[16];
        uint32_t opcode, requests; /* bits of enum sim_request */
    } opcode[TABLE_OPCODES];
    uint32_t drivers;
    struct table_driver driver[TABLE_DRIVERS];
    uint32_t generics;
    struct table_generic generic[TABLE_GENERICS];
    uint32_t fields;
    struct table_field field[TABLE_FIELDS];
    uint32_t events; /* named events */
    struct table_event event[TABLE_EVENTS];
};

/* Unit names of a core's counters. */
#define UNIT_PMC "PMC"
#define UNIT_FIXED "FIXC"

/* The named event of a code and unit mask, NULL: none. */
const struct table_event *table_event(const struct pmu_table *table, const char *unit, uint32_t code, uint32_t umask);

/* The event of a code and unit mask, named or composed of fields, in `out`. 0, or -1: not modelled. */
int table_decode(const struct pmu_table *table, const char *unit, uint32_t code, uint32_t umask,
                 struct table_event *out);

/* Why a counter cannot count the event with the conditions of its select, NULL: it can. An event that never happens
 * satisfies every condition but an inverted one. */
const char *table_condition_error(const struct table_event *event, const struct selection *selection);

/* The requests (bits of enum sim_request) with an opcode in a unit, 0: none that the node makes. */
uint32_t table_opcode(const struct pmu_table *table, const char *unit, uint32_t opcode);

/* The protocol's number of a device's instance in a LIKWID version, -1: none. */
int table_device(const struct pmu_table *table, const char *name, uint32_t likwid_version, uint32_t instance);

/* Width of a unit's counters. `unit` must exist. */
uint32_t table_width(const struct pmu_table *table, const char *unit);

#endif
