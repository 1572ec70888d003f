/* vnode.h - creates a virtual node, runs commands on it, and removes it.
 *
 * A node is a folder: `node` (vnode/node_file.h), `pmu` (vnode/pmu/compiled.h), `topology.xml`, `likwid_topo.cfg`,
 * `proc` and `sys` (machine.h). Its processes add files: access daemons `registers.PID`, `socket.PID` and
 * `notcounted`, their clients `ready.PID`, likwid-perfctr its marker files. A process belongs to the node by its
 * environment. Simultaneous measurements need a node each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_VNODE_H
#define ASSAY_LAUNCH_VNODE_H

#include <stddef.h>
#include <stdint.h>

struct vnode;

struct vnode_paths {
    const char *tools;       /* contains bin/likwid-accessD, bin/assay-engine, valgrind/, libassay-node.so */
    const char *groups;      /* contains ARCH/machine.lua, ARCH/pmu.events */
    uint32_t likwid_version; /* 50202 for 5.2.2; 0: ask likwid-perfctr */
    const char *cache;       /* folder for translations that processes of all nodes share; NULL: none */
    int no_perf;             /* 1: no program uses perf_event, the hundreds of files of its devices are left out */
};

/* Creates the node in a scratch folder (scratch.h). `name` is as for node_desc_read(): ARCH-SxC, ARCH-SxCxT, ARCH, "",
 * or a node file's path. 0 and `*out`, to be freed with vnode_destroy(); or -1 and one line in `error`. */
int vnode_create(const char *name, const struct vnode_paths *paths, struct vnode **out, char *error, size_t error_size);

/* The node's folder, its name, and LIKWID's name of the architecture. Valid as long as the node. */
const char *vnode_dir(const struct vnode *node);
const char *vnode_name(const struct vnode *node);
const char *vnode_arch(const struct vnode *node);

/* Memory channels, channels of high-bandwidth memory and home agents of a socket; whether the last socket has fewer
 * channels. */
uint32_t vnode_channels(const struct vnode *node);
uint32_t vnode_hbm_channels(const struct vnode *node);
uint32_t vnode_agents(const struct vnode *node);
int vnode_sockets_differ(const struct vnode *node);

/* Writes the node's prefetchers as prefetchers_text() does into `text`. Returns `text`, or NULL: the node has none. */
const char *vnode_prefetchers(const struct vnode *node, char *text, size_t size);

/* Whether stores may own lines that are not read from memory (docs/simulator.md). */
int vnode_evades(const struct vnode *node);

/* Whether cycles follow a model of the core's pipeline (docs/time.md). */
int vnode_has_pipeline(const struct vnode *node);

/* Whether the node's pages lie in random frames. */
int vnode_has_random_pages(const struct vnode *node);

/* The environment for commands: the caller's plus the node's variables. NULL-ended, valid as long as the node. */
char *const *vnode_environment(const struct vnode *node);

/* The arguments that execute a command on the node: engine (unless the program runs natively), path of the program,
 * `argv`. Execute the first with vnode_environment(). NULL-ended; valid until the next call and as long as the node
 * and `argv`. NULL: no such program (ENOENT), or it cannot be executed (another errno). */
char *const *vnode_command(struct vnode *node, char *const *argv);

/* Runs a command in the foreground and forwards SIGINT, SIGTERM, SIGHUP and SIGQUIT to it. Returns its status as
 * shells do: exit status, 128 + signal, 127: not found, 126: cannot be executed. The last two, and a program that
 * runs uncounted, are reported in one line on standard error. Processes that still run a second after the command's
 * end are killed and reported: the node's folder must not be removed while a process starts in it. */
int vnode_run(struct vnode *node, char *const *argv);

/* Calls `line` for each counter programmed for something not modelled: "COUNTER 0xEVENT:0xUMASK reason". Returns
 * their number. */
int vnode_not_counted(const struct vnode *node, void (*line)(void *context, const char *text), void *context);

/* Calls `line` for each file that a process of the node has created or opened for writing: vnode/written_file.h.
 * Returns their number. */
int vnode_written(const struct vnode *node, void (*line)(void *context, const char *text), void *context);

/* Whether a line of vnode_not_counted() has been reported to the user already. */
int vnode_is_explained(const struct vnode *node, const char *text);

/* Nonzero if LIKWID has used the node's counters, by its daemon or by perf_event. */
int vnode_measured(const struct vnode *node);

/* Removes the node's folder and frees the node; NULL is allowed. */
void vnode_destroy(struct vnode *node);

#endif
