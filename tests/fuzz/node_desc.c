/* node_desc.c - descriptions of nodes. Accepted ones can be simulated, and programs see what they state: hwloc's XML of
 * the node reads the same.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "vnode/launch/node_desc_read.h"

#include <stdio.h>
#include <unistd.h>

#include "fuzz.h"
#include "validate/node/topology.h"
#include "vnode/launch/topology.h"
#include "vnode/sim/sim.h"

const char fuzz_name[] = "node_desc";
const unsigned fuzz_inputs = 3000;

static long long member(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

static void check_cache(const json_t *caches, size_t level, unsigned long long size, unsigned ways) {
    const json_t *cache = json_array_get(caches, level - 1);
    FUZZ_CHECK(member(cache, "size_bytes") == (long long)size && member(cache, "ways") == ways,
               "L%zu has %lld bytes, %lld ways for hwloc, %llu and %u here", level, member(cache, "size_bytes"),
               member(cache, "ways"), size, ways);
}

/* Checks the node as read by hwloc from `xml`. */
static void check_topology(const struct node_desc *desc, const char *xml) {
    struct error error;
    const struct sim_config *config = &desc->config;
    FUZZ_CHECK(topology_write_hwloc(desc, xml) == 0, "hwloc cannot write it");
    json_t *node = topology_read(xml, &error);
    FUZZ_CHECK(node, "%s", error.text);
    FUZZ_CHECK(member(node, "sockets") == config->sockets, "%lld sockets", member(node, "sockets"));
    FUZZ_CHECK(member(node, "cores_per_socket") == config->cores_per_socket, "%lld cores in a socket",
               member(node, "cores_per_socket"));
    FUZZ_CHECK(member(node, "smt") == sim_threads(config), "%lld threads of a core", member(node, "smt"));
    FUZZ_CHECK(json_array_size(json_object_get(node, "siblings")) == sim_cores(config), "cores");
    FUZZ_CHECK(member(node, "line_bytes") == config->line, "lines of %lld bytes", member(node, "line_bytes"));
    FUZZ_CHECK(json_array_size(json_object_get(node, "cpus_by_domain")) == sim_domains(config), "last levels");
    FUZZ_CHECK(json_array_size(json_object_get(node, "cpus_by_numa")) == sim_numas(config), "NUMA domains");
    const json_t *caches = json_object_get(node, "caches");
    check_cache(caches, 1, config->l1d.size, config->l1d.ways);
    check_cache(caches, 2, config->l2.size, config->l2.ways);
    check_cache(caches, 3, config->l3.size * config->slices, config->l3.ways);
    json_decref(node);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char xml[64];
    struct node_desc desc;
    char error[512];
    const char *file = fuzz_file(data, size);
    if (xml[0] == '\0')
        snprintf(xml, sizeof xml, "/proc/self/fd/%d", fileno(tmpfile()));
    if (node_desc_read(file, GROUPS, &desc, error, sizeof error)) {
        fuzz_check_refusal(error, file);
        return 0;
    }
    const char *wrong = sim_config_error(&desc.config);
    FUZZ_CHECK(!wrong, "accepted, but %s", wrong);
    check_topology(&desc, xml);
    fuzz_accept();
    return 0;
}
