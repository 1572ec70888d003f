/* vnode.h - creates a virtual node, runs commands on it, and removes it.
 *
 * A node is a folder: `node` (vnode/node_file.h), `pmu` (vnode/pmu/compiled.h), `topology.xml`, `likwid_topo.cfg`,
 * `proc` and `sys` (machine.h), and what processes of the node leave there: the access daemons `registers.PID`,
 * `socket.PID` and `notcounted`, their clients `ready.PID`, likwid-perfctr its marker files.
 * Processes belong to it by their environment. Measurements that run at the same time have a node each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_VNODE_H
#define ASSAY_LAUNCH_VNODE_H

#include <stddef.h>
#include <stdint.h>

struct vnode;

struct vnode_paths {
    const char *tools;       /* holds bin/likwid-accessD, bin/assay-engine, valgrind/, libassay-node.so */
    const char *groups;      /* holds ARCH/machine.lua, ARCH/pmu.events */
    uint32_t likwid_version; /* 50202 for 5.2.2; 0: ask likwid-perfctr */
};

/* Creates the node in a scratch folder (scratch.h). `name` is as for node_desc_read() (node_desc.h): ARCH-SxC, ARCH,
 * "", or the path of a node file. 0 and `*out`, which the caller gives to vnode_destroy(); or -1 and one line in
 * `error`. */
int vnode_create(const char *name, const struct vnode_paths *paths, struct vnode **out, char *error, size_t error_size);

/* The node's folder, its name, LIKWID's name of the architecture: as long as the node. */
const char *vnode_dir(const struct vnode *node);
const char *vnode_name(const struct vnode *node);
const char *vnode_arch(const struct vnode *node);

/* The complete environment for commands: the caller's own one, and what makes a process belong to the node. NULL-ended,
 * as long as the node. */
char *const *vnode_environment(const struct vnode *node);

/* The arguments that execute a command on the node: `argv` itself behind the path of its program, with the engine
 * before it unless the program runs natively. Execute the first with vnode_environment(). NULL-ended; valid until the
 * next call and as long as the node and `argv`. NULL: there is no such program (errno is ENOENT), or it cannot be
 * executed (another errno). */
char *const *vnode_command(struct vnode *node, char *const *argv);

/* Runs a command in the foreground: SIGINT, SIGTERM, SIGHUP and SIGQUIT that reach this process go to it. Its status as
 * shells have it: its exit status, 128 + signal, 127: not found, 126: cannot be executed. One line on standard error
 * for the latter two, and for a program that runs but cannot be counted. Whatever the command has left running a
 * second after its end is killed, and one line says so: the node's folder must not go while one is about to start. */
int vnode_run(struct vnode *node, char *const *argv);

/* Calls `line` once for each counter that was programmed for something that the node does not model: "COUNTER
 * 0xEVENT:0xUMASK reason". Returns their number. */
int vnode_not_counted(const struct vnode *node, void (*line)(void *context, const char *text), void *context);

/* Calls `line` once for each file that a process of the node has made or opened for writing: vnode/written_file.h.
 * Returns their number. */
int vnode_written(const struct vnode *node, void (*line)(void *context, const char *text), void *context);

/* Whether the user has been told of such a line already. */
int vnode_is_explained(const struct vnode *node, const char *text);

/* Nonzero if a process of the node has used its counters. */
int vnode_measured(const struct vnode *node);

/* Removes the node's folder and frees the node; NULL is allowed. */
void vnode_destroy(struct vnode *node);

#endif
