/* pages.h - writes HTML pages. A door (script.h) builds a page from its data, a style sheet and a script; both are
 * files below DATA/lua. */
#ifndef ASSAY_PAGES_H
#define ASSAY_PAGES_H

#include <jansson.h>

#include "validate/host/error.h"
#include "validate/host/paths.h"
#include "validate/host/script.h"

/* The parts of a page: its door, a style sheet in addition to the common one, and a script; the last two may be NULL.
 */
struct look {
    const char *door, *style, *program;
};

/* The argument of the look's door: `about`, "style" and "program". A new reference, or NULL with the reason. */
json_t *pages_argument(const struct paths *paths, const struct look *look, const json_t *about, struct error *error);

/* Writes the page that the look's door builds from `about`, "style" and "program". 0, or -1 with the reason. */
int pages_write(const struct paths *paths, struct script *script, const struct look *look, json_t *about,
                const char *file, struct error *error);

#endif
