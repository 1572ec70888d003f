/* node.h - a node: where commands run. Native and virtual differ in their environment only; nothing outside this file
 * and node.c knows which one it is, except to say so. */
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
    char why[512];                   /* why this node was taken */
    char not_validated[512];         /* what kept this machine, which has counters, from being taken; "": nothing */
    json_t *description;             /* plan.lua's `node` */
    json_t *state;                   /* state.h */
    int has_avx512;                  /* its processor executes AVX-512 */
    int lock;                        /* of a native node: only one campaign measures it; -1 on virtual ones */
    char description_name[PATH_MAX]; /* of a virtual node: its name or the file that describes it */
    struct vnode_faults *faults;     /* that its counters have; NULL: none */
};

/* A place on the node for one run: its environment, and on a virtual node its registers and processor. */
struct run_slot;

/* The virtual node of that name ("": the default one, else as vnode_create() has it). -1 and the reason. */
int node_take_virtual(const char *name, const struct paths *paths, const struct likwid *likwid, struct node *node,
                      struct error *error);
/* This machine, unless something stands in the way (doctor.h): -1 and the obstacle with its remedy. Whether its
 * counters count, a probe must show. */
int node_take_native(const struct paths *paths, const struct likwid *likwid, struct node *node, struct error *error);
void node_release(struct node *node);

/* From now on the node's counters have the faults in a file, NULL: none. -1: a fault that the node cannot have, with
 * file and line, or a native node. */
int node_set_faults(struct node *node, const struct paths *paths, const struct likwid *likwid, const char *file,
                    struct error *error);

/* The virtual node of that name, to be given to vnode_destroy(). NULL and the reason. */
struct vnode *node_create_virtual(const char *name, const struct paths *paths, const char *likwid_version,
                                  struct error *error);

/* How many runs may go side by side: 1 on a native node, the host's cores on a virtual one. */
int node_side_by_side(const struct node *node);

/* A run slot whose HOME is `home`. NULL and the reason. */
struct run_slot *run_slot_take(const struct node *node, const struct paths *paths, const struct likwid *likwid,
                               const char *home, struct error *error);
/* Gives the run slot the node's faults; random ones differ between runs of different names. */
int run_slot_set_faults(const struct run_slot *slot, const struct node *node, const char *run, struct error *error);
char **run_slot_environment(const struct run_slot *slot);
/* Counters that were programmed with an event the node does not model: { COUNTER: reason }, a new reference. */
json_t *run_slot_not_counted(const struct run_slot *slot);
/* The files that processes on the run slot have made ("m") or opened for writing ("w"): { file: "m" | "w" }, a new
 * reference; the files are named as in vnode/written_file.h. NULL: a native node, of which that is not known. */
json_t *run_slot_written(const struct run_slot *slot);
void run_slot_leave(struct run_slot *slot);

#endif
