/* vnode_private.h - a node inside the launch library.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_VNODE_PRIVATE_H
#define ASSAY_LAUNCH_VNODE_PRIVATE_H

#include "vnode/shim/command.h"

struct vnode {
    char folder[COMMAND_PATH - 64], tools[COMMAND_PATH];
    char name[64], arch[32];
    char **environment;
    struct command command; /* of the latest vnode_command() */
    char **arguments;
};

#endif
