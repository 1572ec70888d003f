/* table.h - what is known of one microarchitecture's performance monitoring unit, as data: where its registers are,
 * and which event select counts what. Read from a file such as haswellEP.events, whose head explains its lines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_TABLE_H
#define ASSAY_PMU_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "formula.h"

enum {
    TABLE_BOXES = 16,
    TABLE_EVENTS = 512,
    TABLE_DEVICES = 16,
    TABLE_REGISTERS = 16,
    TABLE_UNMODELLED = 40,
    TABLE_RESPONSE_BITS = 40,
    TABLE_RESPONSES = 2,
    CORE_COUNTERS = 8,
    CORE_FIXED = 3,
    BOX_COUNTERS = 4,
    BOX_FILTERS = 4,
};

/* Registers of every core. The counters of a kind have consecutive addresses. */
struct core_layout {
    uint32_t select, counter, counters; /* IA32_PERFEVTSELx, IA32_PMCx */
    uint32_t fixed, fixed_counters, fixed_control;
    uint32_t control, status, clear; /* IA32_PERF_GLOBAL_CTRL, _STATUS, _OVF_CTRL */
};

/* One kind of uncore box. Its instances are `step` MSRs apart, or consecutive PCI devices. 0 stands for "has none",
 * in lists too. A PCI counter is two registers of 32 bits: the low half at `counter`, the high half 4 above. */
struct box_layout {
    char unit[16];  /* as named by events: CBOX */
    char label[16]; /* LIKWID's counter names: '%' is the instance, '@' the counter */
    enum scope scope;
    int pci;
    uint32_t base, step; /* MSR address of instance 0 and distance; added to all addresses below */
    char device[8];      /* PCI */
    uint32_t control, status, filters, counters;
    uint32_t filter[BOX_FILTERS], select[BOX_COUNTERS], counter[BOX_COUNTERS];
    int has_control, has_status;
    uint32_t status_bit;             /* overflow bit of counter 0 in the box's status */
    int overflow_bit;                /* of instance 0 in the socket's status, -1: none */
    uint32_t overflow_group;         /* as many instances share a bit */
    int states_filter;               /* which filter selects line states, -1: none */
    uint32_t states_bit;             /* its lowest bit */
    uint32_t states, state_order[8]; /* enum sim_line_state of each bit, upwards */
};

struct table_event {
    char unit[16], name[64];
    uint32_t code, umask;
    int by_state; /* only lookups in the states that the box's filter selects */
    int cycles;   /* happens once in every cycle that is counted: threshold and invert have a meaning */
    struct formula formula;
};

struct table_device {
    char name[8];
    uint32_t likwid_version, number; /* from this version of LIKWID's protocol on */
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
    uint32_t freeze_register, freeze_bit, unfreeze_bit, freeze_status;
    uint32_t registers, stored_register[TABLE_REGISTERS];      /* of a core: remember what is written */
    uint32_t clock_registers, clock_register[TABLE_REGISTERS]; /* read the clock / 100 MHz in each byte of the mask */
    uint64_t clock_mask[TABLE_REGISTERS];
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
    uint32_t events;
    struct table_event event[TABLE_EVENTS];
};

/* Reads `path`. NULL, or one line "file:line: what" (in `error`). */
const char *table_load(const char *path, struct pmu_table *out, char *error, size_t error_size);

/* The event that a unit counts for a code and unit mask, NULL: not modelled. */
const struct table_event *table_event(const struct pmu_table *table, const char *unit, uint32_t code, uint32_t umask);

/* The protocol's number of the first device of that name in a version of LIKWID, -1: it has none. */
int table_device(const struct pmu_table *table, const char *name, uint32_t likwid_version);

#endif
