/* faults.h - reads a fault file for the virtual node (man page, FAULTS). The node interprets its lines. */
#ifndef ASSAY_FAULTS_H
#define ASSAY_FAULTS_H

#include <jansson.h>

#include "validate/host/error.h"
#include "vnode/launch/faults.h"

/* The faults in a file (NULL: none) and noise ("quiet", "busy"; NULL: none) for nodes like `vnode`; freed with
 * vnode_free_faults(). NULL with the reason. */
struct vnode_faults *faults_read(const char *file, const char *noise, const struct vnode *vnode, struct error *error);

/* The fault lines without comments and extra blanks: an array of strings (a new reference). `faults` may be NULL. */
json_t *faults_lines(const struct vnode_faults *faults);

#endif
