/* single.c - one run without a campaign. SPDX-License-Identifier: GPL-3.0-or-later */
#include "single.h"

#include "kernels.h"
#include "run.h"
#include "validate/host/plain_json.h"
#include "vnode/launch/scratch.h"

enum { PATIENCE = 60 /* seconds */ };

static json_t *measure(const struct run_context *context, const json_t *job, const json_t *packed,
                       struct error *error) {
    struct run run = {.job = job, .packed = packed, .rep = 1};
    snprintf(run.id, sizeof run.id, "%s", json_word(job, "id"));
    if (run_start(&run, context, error) != 0) {
        run_abort(&run);
        return NULL;
    }
    process_wait(&run.process);
    return run_finish(&run);
}

json_t *single_measure(const struct node *node, const struct paths *paths, const struct likwid *likwid,
                       const char *kernel, const json_t *job, const json_t *packed, json_t *kernels,
                       struct error *error) {
    char cache[PATH_MAX];
    struct scratch work = {.lock = -1};
    json_t *objects = json_object(), *result = NULL;
    if (paths_cache(paths, cache, error) == 0 &&
        kernels_prepare(paths, node, kernel, cache, kernels, objects, error) == 0 &&
        scratch_make("assay-single", &work, error->text, sizeof error->text) == 0) {
        struct run_context context = {.paths = paths,
                                      .likwid = likwid,
                                      .node = node,
                                      .objects = objects,
                                      .work = work.folder,
                                      .timeout = PATIENCE};
        result = measure(&context, job, packed, error);
        scratch_remove(&work);
    }
    json_decref(objects);
    return result;
}
