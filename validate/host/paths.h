/* paths.h - locations of Assay's data and tools: next to the program in a build folder, or under an installation
 * prefix.
 *
 * In a checkout the program is BUILD/assay; its data (kernels/, patterns/, lua/) are in the folder above BUILD, its
 * tools (virtual node, drivers) and the groups, as inherit/ makes them, in BUILD. An installed program is
 * PREFIX/bin/assay, with data in PREFIX/share/assay and tools in PREFIX/lib/assay. ASSAY_DATA overrides the data
 * folder. */
#ifndef ASSAY_PATHS_H
#define ASSAY_PATHS_H

#include <limits.h>

#include "error.h"

struct paths {
    char program[PATH_MAX];
    char data[PATH_MAX];   /* kernels/, patterns/, lua/, vnode/ */
    char groups[PATH_MAX]; /* ARCH/ */
    char tools[PATH_MAX];  /* vnode/, patterns/ as built */
};

/* Finds all folders from /proc/self/exe. Returns 0, or -1 if the data are not found. */
int paths_find(struct paths *paths, struct error *error);

/* Creates the user's cache folder for assembled kernels and LIKWID's answers, and stores its path in `out` (PATH_MAX):
 * TOOLS/cache if writable, else $XDG_CACHE_HOME/assay or $HOME/.cache/assay. -1 if each of them belongs to another user
 * than this one and root, or can be written by everybody. */
int paths_cache(const struct paths *paths, char *out, struct error *error);

/* Formats a path into `out` (PATH_MAX bytes), like snprintf(). -1 if it does not fit. */
int paths_format(char *out, struct error *error, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Joins folder and name into `out` (PATH_MAX bytes). -1 if it does not fit. */
int paths_join(char *out, const char *folder, const char *name, struct error *error);

/* Stores DATA/NAME in `out` (PATH_MAX bytes); "groups" and "groups/..." are in GROUPS. -1 if it does not fit. */
int paths_data(char *out, const struct paths *paths, const char *name, struct error *error);

/* Stores GROUPS/ARCH/NAME, a file of an architecture, in `out` (PATH_MAX bytes). -1 if it does not fit. */
int paths_arch(char *out, const struct paths *paths, const char *arch, const char *name, struct error *error);

/* Whether the path is a folder. */
int paths_is_folder(const char *path);

/* Like mkdir -p. */
int paths_make_folder(const char *path, struct error *error);

#endif
