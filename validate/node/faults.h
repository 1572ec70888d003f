/* faults.h - a file of faults for the virtual node (man page, FAULTS). What its lines mean is the node's business. */
#ifndef ASSAY_FAULTS_H
#define ASSAY_FAULTS_H

#include <jansson.h>

#include "validate/host/error.h"
#include "vnode/launch/faults.h"

/* The faults in a file, for nodes like this one; the caller gives them to vnode_free_faults(). NULL and the reason. */
struct vnode_faults *faults_read(const char *file, const struct vnode *vnode, struct error *error);

/* Its lines without comments and needless blanks, an array of strings (a new reference); `faults` may be NULL. */
json_t *faults_lines(const struct vnode_faults *faults);

#endif
