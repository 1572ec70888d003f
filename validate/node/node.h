/* node.h - a node, on which commands run: native or virtual. These differ only in the environment of the commands; code
 * outside of node.c does not distinguish them, except in messages. */
#ifndef ASSAY_NODE_H
#define ASSAY_NODE_H

#include <jansson.h>

#include "faults.h"
#include "validate/host/error.h"
#include "validate/host/paths.h"
#include "validate/likwid/likwid.h"

struct node {
    int is_virtual;
    char name[64];                   /* host name, or the virtual node's name */
    char arch[32];                   /* LIKWID's short name */
    char likwid[32];                 /* LIKWID's version */
    char why[512];                   /* why this node was chosen */
    char not_validated[512];         /* why this machine, which has counters, was not chosen; "": nothing */
    json_t *description;             /* plan.lua's `node` */
    json_t *state;                   /* state.h */
    json_t *numbers;                 /* cpu_numbers.h */
    int has_avx512;                  /* the processor executes AVX-512 */
    int lock;                        /* native: held by the only campaign that measures it; virtual: -1 */
    char description_name[PATH_MAX]; /* virtual: its name or the file that describes it */
    struct vnode_faults *faults;     /* of its counters, and noise; NULL: none */
};

/* A slot for one run: its environment, and on a virtual node its own registers and processor. */
struct run_slot;

/* Opens the virtual node of that name ("": the default; else see vnode_create()). 0, or -1 with the reason. */
int node_take_virtual(const char *name, const struct paths *paths, const struct likwid *likwid, struct node *node,
                      struct error *error);
/* Opens this machine as a node. -1 with the obstacle and its remedy if there is one (doctor.h). Does not check that the
 * counters count; see probe.h. */
int node_take_native(const struct paths *paths, const struct likwid *likwid, struct node *node, struct error *error);
/* Like node_take_native(), but the processor may have no groups: LIKWID counts there, and nothing can be judged. */
int node_take_unjudged(const struct paths *paths, const struct likwid *likwid, struct node *node, struct error *error);
/* Describes this machine for planning, even if its counters cannot be used. `arch`: LIKWID's short name of its
 * architecture; NULL: ask LIKWID. The topology is hwloc's; HWLOC_XMLFILE can name the topology of another machine.
 * Nothing is executed on it; `state` stays NULL. 0, or -1 with the reason. */
int node_describe_native(const char *arch, const struct likwid *likwid, struct node *node, struct error *error);
void node_release(struct node *node);

/* CPUs as LIKWID's options -c and -C number them on the node (cpu_numbers.h). A new reference. */
json_t *node_likwid_cpus(const struct node *node, const json_t *cpus);

/* Sets the faults of the node's counters from a file, NULL: none, and noise, "quiet", "busy" or NULL: none. -1 for a
 * native node, or a fault that the node cannot have, with file and line. */
int node_set_faults(struct node *node, const struct paths *paths, const struct likwid *likwid, const char *file,
                    const char *noise, struct error *error);

/* -1 with the remedy if LIKWID counts, and is not built for access by a daemon, which all but `assay vnode` need. */
int node_check_mode(const struct likwid *likwid, struct error *error);

/* Creates the virtual node of that name; freed with vnode_destroy(). `perf`: something on it may use perf_event. NULL
 * with the reason. */
struct vnode *node_create_virtual(const char *name, const struct paths *paths, const char *likwid_version, int perf,
                                  struct error *error);

/* Whether something else runs on the node: on every native one, and on a virtual one with --noise. */
int node_is_noisy(const struct node *node);

/* Maximum number of parallel runs: 1 on a native node, the host's cores on a virtual one. */
int node_side_by_side(const struct node *node);

/* Takes a run slot whose HOME is `home`. `perf`: its program, or what counts, may use perf_event. NULL with the
 * reason. */
struct run_slot *run_slot_take(const struct node *node, const struct paths *paths, const struct likwid *likwid,
                               const char *home, int perf, struct error *error);
/* Applies the node's faults to the run slot; random ones depend on the name `run`. */
int run_slot_set_faults(const struct run_slot *slot, const struct node *node, const char *run, struct error *error);
char **run_slot_environment(const struct run_slot *slot);
/* The words that execute the program argv[0], relative to `folder`, on the slot's node. Valid until the next call. NULL
 * with the reason. */
char *const *run_slot_command(struct run_slot *slot, const char *folder, char **argv, struct error *error);
/* Counters programmed with events that the node does not model: { COUNTER: reason }, a new reference. */
json_t *run_slot_not_counted(const struct run_slot *slot);
/* Files that processes on the run slot created ("m") or opened for writing ("w"): { file: "m" | "w" }, a new reference,
 * with the file names of vnode/written_file.h. NULL on a native node, where they are unknown. */
json_t *run_slot_written(const struct run_slot *slot);
void run_slot_leave(struct run_slot *slot);

#endif
