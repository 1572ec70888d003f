/* node_file.h - the file that the parts of a running virtual node share: NODE_DIR/node, created by the launcher, and
 * mapped by it, by the engine of every measured process, and by every access daemon.
 *
 * Each measured process owns a slot. Its simulator adds directly to `live`. Before the process sends a record to its
 * access daemon (a write of 32 bytes to a socket), the engine copies `live` to `published`. So the daemon reads the
 * state at that instruction although the process may run on. A daemon reads `published` in its parent's slot, and
 * `live` in all others; ended processes are summed in `ended`. Totals of the node = ended + sum over slots.
 *
 * While a process runs, the totals in `live` are inconsistent: instructions are added only when the program's code is
 * left. A process rests in system calls, at the end of a turn, and every 100 000 instructions: then `steps` is even.
 * A daemon reads `live` while `steps` is even and does not change. To wait for a running process to rest, it sets
 * `asked`; the process then stays at its next rest until the daemon has read (vnode/pmu/moment.h).
 *
 * Companion processes (started by the user's shell next to likwid-perfctr) count until LIKWID starts a program on the
 * node (`measures`). From then on only such programs count.
 *
 * Tracking stores in flight costs as much as the rest of an L1 access, so it is enabled when a counter first needs it
 * (`follows`). Freestanding header: no libc here. */
#ifndef ASSAY_VNODE_NODE_FILE_H
#define ASSAY_VNODE_NODE_FILE_H

#include <stdint.h>

#include "identity.h"
#include "sim/config.h"
#include "sim/counts.h"

#define NODE_FILE_NAME "node"              /* in the node's folder */
#define STORED_LINK_NAME "stored"          /* link to the folder of stored translations (engine/stored.c), if any */
#define NODE_DIR_VARIABLE "ASSAY_NODE_DIR" /* environment: the node's folder, in every process of the node */

/* As perf_event_paranoid 2, but all users may count CPUs and boxes. */
enum { PERF_PARANOID_CPUS = 4 };

enum { NODE_MAGIC = 0x59415341, NODE_VERSION = 23, NODE_SLOTS = 64 };

/* The owner of a slot, kept apart from its counts: a search for a process must not touch their many pages. */
struct node_owner {
    int32_t pid;     /* 0: free slot. Claimed by compare-and-swap */
    uint32_t beside; /* 1: not part of a program started by LIKWID */
    uint32_t steps;  /* odd: running, `live` changes */
    uint32_t asked;  /* 1: a daemon waits for it to rest; set by the daemon, cleared by both */
};

struct node_slot {
    struct sim_counts live;
    struct sim_counts published;
};

struct node_file {
    uint32_t magic, version;
    struct sim_config config;
    char name[64];           /* ARCH-SxC, or a node file's name */
    char arch[32];           /* LIKWID's short name */
    uint32_t likwid_version; /* 50202 for 5.2.2: the device numbering of the protocol depends on it */
    uint32_t cpu_signature;  /* CPUID leaf 1 EAX shown to programs of the node: 0x306f2 */
    char cpu[48];            /* processor name in CPUID's brand string, truncated and 0-terminated */
    uint32_t vendor;         /* enum identity_vendor */
    uint32_t physical_bits;  /* of an address */
    uint32_t features[IDENTITY_WORDS];
    struct identity_perfmon perfmon;
    struct identity_perfmon2 perfmon2;
    uint64_t memory_bytes;               /* per memory, as shown to programs */
    uint32_t ghost_boxes;                /* boxes of channels that a socket lacks are there and count nothing */
    int32_t perf_paranoid;               /* perf_event_paranoid, -1 to 3, or PERF_PARANOID_CPUS */
    uint32_t lock;                       /* spin lock (pid of the holder) over `ended` and freeing of slots */
    uint32_t measures;                   /* 1: LIKWID has started a program to measure; never reset */
    uint32_t folds;                      /* number of slots added to `ended` or `ended_beside` */
    uint32_t follows;                    /* 1: a counter needs loads that conflict with stores in flight; never reset */
    uint32_t perf;                       /* 1: a process has opened a perf event; never reset */
    struct node_owner owner[NODE_SLOTS]; /* of the slot with the same number */
    struct sim_counts ended, ended_beside;
    struct node_slot slot[NODE_SLOTS];
};

#endif
