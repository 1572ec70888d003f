/* kernels.c - prepares kernels for planning and running. SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels.h"

#include <stdio.h>
#include <string.h>

#include "validate/host/text.h"
#include "validate/kernel/assemble.h"
#include "validate/kernel/check.h"
#include "validate/kernel/count.h"
#include "validate/kernel/function.h"
#include "validate/kernel/in_core.h"
#include "validate/kernel/osaca.h"
#include "validate/kernel/ptt.h"

/* Finds kernels/ISA/NAME.ptt in any folder ISA. */
static int find(const struct paths *paths, const char *name, char file[PATH_MAX], struct error *error) {
    char folder[PATH_MAX], pattern[PATH_MAX];
    if (paths_join(folder, paths->data, "kernels", error) != 0)
        return -1;
    snprintf(pattern, sizeof pattern, "*/%s.ptt", name);
    char **found = strchr(name, '/') == NULL ? text_match(folder, pattern, error) : NULL;
    if (found == NULL)
        return error_set(error, "%s: unknown kernel; `assay list kernels` shows them", name);
    int status = paths_join(file, folder, found[0], error);
    text_free_names(found);
    return status;
}

/* Counts of a piece of code that code.lua can query. */
static json_t *describe_part(const struct kernel_part *part) {
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}",
                     "instructions", (int)part->instructions, "loads", (int)part->loads, "stores", (int)part->stores,
                     "flops", (int)part->flops, "vectors", (int)part->vectors, "divides", (int)part->divides,
                     "avx_loads", (int)part->avx_loads, "avx_stores", (int)part->avx_stores, "avx_calc",
                     (int)part->avx_calc, "branches", (int)part->branches, "conditional", (int)part->conditional,
                     "calls", (int)part->calls, "returns", (int)part->returns, "fp_scalar_sp", (int)part->fp_scalar_sp,
                     "fp_scalar_dp", (int)part->fp_scalar_dp, "fp_128_sp", (int)part->fp_128_sp, "fp_128_dp",
                     (int)part->fp_128_dp, "fp_256_sp", (int)part->fp_256_sp, "fp_256_dp", (int)part->fp_256_dp);
}

/* The same and AVX-SSE transitions, for a part of a kernel. */
static json_t *describe_kernel_part(const struct kernel_part *part) {
    json_t *described = describe_part(part);
    json_object_set_new(described, "avx_to_sse", json_integer(part->avx_to_sse));
    json_object_set_new(described, "sse_to_avx", json_integer(part->sse_to_avx));
    return described;
}

/* plan.lua's entry: streams, and counts of each part of the code. */
static json_t *describe(const char *name, const struct kernel_counts *counts) {
    json_t *streams = json_array();
    for (unsigned i = 0; i < counts->streams; i++) {
        const struct kernel_stream *stream = &counts->stream[i];
        json_array_append_new(streams, json_pack("{s:b, s:b, s:b}", "loads", stream->loads > 0, "stores",
                                                 stream->stores > 0 || stream->stores_nt > 0, "nontemporal",
                                                 stream->stores_nt > 0 && stream->stores == 0));
    }
    return json_pack("{s:s, s:i, s:i, s:o, s:{s:i, s:i}, s:i, s:i, s:i, s:i, s:{s:o, s:o, s:o, s:o}}", "name", name,
                     "elements_per_pass", (int)counts->elements, "bytes_per_element", (int)counts->element_bytes,
                     "streams", streams, "own_lines", "read", (int)counts->own_read, "written",
                     (int)counts->own_written, "loads_per_pass", (int)counts->pass.loads, "stores_per_pass",
                     (int)counts->pass.stores, "instructions_per_pass", (int)counts->pass.instructions,
                     "instructions_per_sweep", (int)(counts->constant.instructions + counts->sweep.instructions),
                     "parts", "pass", describe_kernel_part(&counts->pass), "constant",
                     describe_kernel_part(&counts->constant), "sweep", describe_kernel_part(&counts->sweep), "once",
                     describe_kernel_part(&counts->once));
}

/* plan.lua's entry for a kernel with AVX-512 instructions. */
static json_t *describe_refused(const char *name, const struct node *node) {
    const char *reason = node->has_avx512 ? "its instructions of AVX-512 are not counted" : "the node has no AVX-512";
    return json_pack("{s:s, s:s}", "name", name, "refused", reason);
}

int kernels_prepare(const struct paths *paths, const struct node *node, const char *name, const char *cache,
                    json_t *kernels, json_t *objects, struct error *error) {
    char file[PATH_MAX], object[PATH_MAX];
    struct ptt ptt;
    struct kernel_counts counts = {0};
    if (find(paths, name, file, error) != 0 || ptt_read(&ptt, file, error) != 0)
        return -1;
    int status = kernel_assemble(&ptt, cache, object, sizeof object, error);
    if (status == 0)
        status = kernel_count(object, file, &counts, error);
    if (status == 0)
        status = kernel_check(&ptt, &counts, error);
    if (status == 0) {
        json_object_set_new(kernels, name, describe(name, &counts));
        if (json_object_set_new(objects, name, json_string(object)) != 0)
            status = error_set(error, "%s: its path is not UTF-8; set XDG_CACHE_HOME to another folder", object);
    } else if (counts.avx512) {
        status = json_object_set_new(kernels, name, describe_refused(name, node));
    }
    ptt_free(&ptt);
    return status;
}

/* The prediction as { cycles =, by = }, or { none = reason }. */
static json_t *describe_prediction(int status, const struct in_core *in_core, const struct error *error) {
    return status == 0 ? json_pack("{s:f, s:s}", "cycles", in_core->cycles, "by", in_core->by)
                       : json_pack("{s:s}", "none", error->text);
}

/* llvm-mca's prediction, with OSACA's in `beside`. */
static json_t *describe_in_core(const struct function_counts *counts, const struct analyzed_for *processor) {
    struct in_core in_core;
    struct error error;
    if (counts->loop[0] == '\0') {
        error_set(&error, "the function has no loop that can be predicted");
        return describe_prediction(-1, &in_core, &error);
    }
    int status = processor->mca == NULL ? error_set(&error, "the machine file has no name for llvm-mca (mca)")
                                        : in_core_predict(counts->loop, processor->mca, &in_core, &error);
    json_t *described = describe_prediction(status, &in_core, &error);
    status = processor->osaca == NULL ? error_set(&error, "the machine file has no name for OSACA (osaca)")
                                      : osaca_predict(counts->loop, processor->osaca, &in_core, &error);
    json_object_set_new(described, "beside", describe_prediction(status, &in_core, &error));
    return described;
}

int kernels_count_function(const struct paths *paths, const char *name, const char *function,
                           const struct analyzed_for *processor, json_t *kernels, struct error *error) {
    char file[PATH_MAX], key[256];
    struct function_counts counts;
    if (paths_format(file, error, "%s/patterns/%s", paths->tools, name) != 0)
        return -1;
    if (snprintf(key, sizeof key, "%s:%s", name, function) >= (int)sizeof key)
        return error_set(error, "%s: name too long", function);
    if (json_object_get(kernels, key) != NULL)
        return 0;
    if (function_count(file, function, &counts, error) != 0)
        return -1;
    json_t *parts = json_pack("{s:o, s:o, s:o, s:o, s:o, s:i}", "pass", describe_part(&counts.pass), "guarded",
                              describe_part(&counts.guarded), "nested", describe_part(&counts.nested), "other",
                              describe_part(&counts.other), "constant", describe_part(&counts.constant), "jumps_apart",
                              (int)counts.jumps_apart);
    if (processor != NULL)
        json_object_set_new(parts, "in_core", describe_in_core(&counts, processor));
    return json_object_set_new(kernels, key, json_pack("{s:s, s:o}", "name", key, "parts", parts));
}
