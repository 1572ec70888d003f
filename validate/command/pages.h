/* pages.h - HTML pages: a door makes one of what it is about, a style and a program, which are files below
 * DATA/lua. */
#ifndef ASSAY_PAGES_H
#define ASSAY_PAGES_H

#include <jansson.h>

#include "validate/host/error.h"
#include "validate/host/paths.h"
#include "validate/host/script.h"

/* What a page looks like; `style` next to that of all pages, and `program`, are NULL where there is none. */
struct look {
    const char *door, *style, *program;
};

/* Writes the page that the look's door makes of `about` with "style" and "program". 0, or -1 and the reason. */
int pages_write(const struct paths *paths, struct script *script, const struct look *look, json_t *about,
                const char *file, struct error *error);

#endif
