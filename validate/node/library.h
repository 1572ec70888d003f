/* library.h - which shared libraries programs of this machine can load. */
#ifndef ASSAY_LIBRARY_H
#define ASSAY_LIBRARY_H

/* Whether the dynamic linker finds the library of that name, and can load it: whatever this library starts on being
 * loaded, threads for instance, is none of this process, as a child of it tries. */
int library_is_there(const char *name);

#endif
