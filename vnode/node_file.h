/* node_file.h - the one file that the parts of a running virtual node share: NODE_DIR/node, mapped by the
 * launcher (which creates it), by the engine of every measured process, and by every access daemon.
 *
 * Each measured process owns a slot. Its simulator adds straight into `live`. Before the process hands a record
 * to its access daemon (a write of 32 bytes to a socket), the engine copies `live` to `published`, so that what
 * the daemon reads is the state at that very instruction although the process may run on. A daemon therefore takes
 * `published` from the slot of its own parent, and `live` from all others; processes that have ended are summed in
 * `ended`. Totals of the node = ended + sum over slots.
 *
 * While a process runs, the totals of `live` do not belong together: instructions are added when it is left. It rests
 * whenever it is in a system call, at the end of a turn, and every 100 000 instructions: `steps` is even then. A
 * daemon reads `live` while `steps` is even and stays the same. To find a running process at rest it sets `asked`; the
 * process then waits at its next rest until the daemon has read (vnode/pmu/moment.h).
 *
 * Processes that stand next to a measurement (what the user's shell runs next to likwid-perfctr) count as long as
 * LIKWID has not started a program on the node: `measures`. From then on the totals are of such programs alone.
 *
 * To follow stores in flight takes as long as all else that an access to L1 does, so that the engines do it from the
 * time on when a counter first asks for what comes of it: `follows`. Freestanding header: no libc here. */
#ifndef ASSAY_VNODE_NODE_FILE_H
#define ASSAY_VNODE_NODE_FILE_H

#include <stdint.h>

#include "identity.h"
#include "sim/config.h"
#include "sim/counts.h"

#define NODE_FILE_NAME "node"              /* in the node's folder */
#define NODE_DIR_VARIABLE "ASSAY_NODE_DIR" /* environment: the node's folder, set for every process of the node */

enum { NODE_MAGIC = 0x59415341, NODE_VERSION = 12, NODE_SLOTS = 64 };

/* Whose a slot is. Counts are many pages: whoever looks for a process shall touch none of them. */
struct node_owner {
    int32_t pid;     /* 0: the slot is free. Taken by compare-and-swap */
    uint32_t beside; /* 1: not part of a program that LIKWID has started */
    uint32_t steps;  /* odd: it runs, and `live` changes */
    uint32_t asked;  /* 1: a daemon waits for it to rest; set by the daemon, cleared by both */
};

struct node_slot {
    struct sim_counts live;
    struct sim_counts published;
};

struct node_file {
    uint32_t magic, version;
    struct sim_config config;
    char name[64];           /* ARCH-SxC, or of a file */
    char arch[32];           /* LIKWID's short name */
    uint32_t likwid_version; /* 50202 for 5.2.2: the device numbering of the protocol depends on it */
    uint32_t cpu_signature;  /* CPUID leaf 1 EAX shown to programs of the node: 0x306f2 */
    char cpu[48];            /* name of the processor, as CPUID's brand string: cut off and ended by a 0 */
    uint32_t vendor;         /* enum identity_vendor */
    uint32_t physical_bits;  /* of an address */
    uint32_t features[IDENTITY_WORDS];
    struct identity_perfmon perfmon;
    uint64_t memory_bytes; /* per NUMA domain, as shown to programs */
    uint32_t lock;         /* spin lock (pid of the holder) over `ended` and freeing of slots */
    uint32_t measures;     /* 1: LIKWID has started a program to be measured; never goes back */
    uint32_t folds;        /* slots that were added to `ended` or `ended_beside` */
    uint32_t follows;      /* 1: a counter has asked for loads that meet stores in flight; never goes back */
    struct node_owner owner[NODE_SLOTS]; /* of the slot with the same number */
    struct sim_counts ended, ended_beside;
    struct node_slot slot[NODE_SLOTS];
};

#endif
