/* library.h - checks whether a shared library can be loaded on this machine. */
#ifndef ASSAY_LIBRARY_H
#define ASSAY_LIBRARY_H

/* Whether the dynamic linker finds and loads the library of that name. A child process loads it, so that threads
 * started by the library are not in this process. */
int library_is_there(const char *name);

#endif
