/* vnode_private.h - a node inside the launch library.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_VNODE_PRIVATE_H
#define ASSAY_LAUNCH_VNODE_PRIVATE_H

#include "keeper.h"
#include "scratch.h"
#include "vnode/command.h"
#include "vnode/sim/config.h"

struct vnode {
    struct scratch scratch;
    const char *folder; /* the scratch folder */
    char tools[COMMAND_PATH];
    pid_t keeper;
    char name[64], arch[32];
    struct sim_config config;
    int32_t perf_paranoid; /* as in struct node_desc */
    int no_perf;           /* as in struct vnode_paths */
    char **environment;
    struct command command; /* of the latest vnode_command() */
    char **arguments;
};

#endif
