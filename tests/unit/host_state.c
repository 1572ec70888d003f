/* host_state.c - what of a node's state is read, from files and texts made by hand. SPDX-License-Identifier:
 * GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "validate/host/ask.h"
#include "validate/host/text.h"
#include "validate/node/state.h"

static void prefetchers_are_named_with_their_states(void **state) {
    (void)state;
    json_t *found = state_prefetchers("Feature               HWThread 0\nHW_PREFETCHER         on\nFAST_STRINGS  on\n"
                                      "CL_PREFETCHER         off\nPREFETCHER_OF_X off\n");
    assert_string_equal(json_string_value(found), "HW_PREFETCHER on, CL_PREFETCHER off");
    json_decref(found);
    found = state_prefetchers("no access\n");
    assert_true(json_is_null(found));
    json_decref(found);
}

/* Makes a root folder with this /proc/cpuinfo. */
static void make_root(char root[], const char *cpuinfo) {
    char path[200];
    struct error error;
    assert_non_null(mkdtemp(root));
    snprintf(path, sizeof path, "%s/proc", root);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/proc/cpuinfo", root);
    assert_int_equal(text_write(path, cpuinfo, &error), 0);
}

static void remove_root(const char *root) {
    char path[200];
    snprintf(path, sizeof path, "%s/proc/cpuinfo", root);
    unlink(path);
    snprintf(path, sizeof path, "%s/proc", root);
    rmdir(path);
    rmdir(root);
}

static void a_virtual_node_has_its_own_stepping_and_nothing_of_the_host(void **state) {
    static const char *const host[] = {"hostname", "access", "prefetchers",    "governor",
                                       "watchdog", "turbo",  "numa_balancing", "cpuset"};
    char root[] = "/tmp/assay-state-XXXXXX";
    (void)state;
    make_root(root,
              "processor\t: 0\nmodel\t\t: 63\nmodel name\t: Any 7\ncpu family\t: 6\nstepping\t: 2\nmodel\t\t: 1\n");
    json_t *description = json_pack("{s:i, s:i, s:b}", "sockets", 2, "numa_domains", 8, "large_pages", 1);
    json_t *found = state_read(root, NULL, description);
    assert_int_equal(json_integer_value(json_object_get(found, "family")), 6);
    assert_int_equal(json_integer_value(json_object_get(found, "model")), 63);
    assert_int_equal(json_integer_value(json_object_get(found, "stepping")), 2);
    assert_int_equal(json_integer_value(json_object_get(found, "numa_per_socket")), 4);
    assert_true(json_is_true(json_object_get(found, "large_pages")));
    for (size_t i = 0; i < sizeof host / sizeof *host; i++)
        assert_true(json_is_null(json_object_get(found, host[i])));
    json_decref(found);
    json_decref(description);
    remove_root(root);
}

static void what_is_not_there_is_null(void **state) {
    char root[] = "/tmp/assay-state-XXXXXX";
    (void)state;
    make_root(root, "");
    json_t *description = json_pack("{s:i, s:i, s:b}", "sockets", 2, "numa_domains", 3, "large_pages", 0);
    json_t *found = state_read(root, NULL, description);
    assert_true(json_is_null(json_object_get(found, "stepping")));
    assert_true(json_is_null(json_object_get(found, "numa_per_socket"))); /* 3 domains in 2 sockets */
    json_decref(found);
    json_decref(description);
    remove_root(root);
}

static void an_answer_comes_with_status_and_last_words(void **state) {
    char *const question[] = {"sh", "-c", "echo yes; echo first >&2; echo last >&2; exit 3", NULL};
    char *const silence[] = {"true", NULL};
    struct error said;
    int status = -1;
    (void)state;
    char *text = ask(question, 20, &status, &said);
    assert_string_equal(text, "yes\n");
    assert_int_equal(status, 3);
    assert_string_equal(said.text, "last");
    free(text);
    text = ask(silence, 20, &status, &said);
    assert_string_equal(text, "");
    assert_int_equal(status, 0);
    assert_string_equal(said.text, "");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prefetchers_are_named_with_their_states),
        cmocka_unit_test(a_virtual_node_has_its_own_stepping_and_nothing_of_the_host),
        cmocka_unit_test(what_is_not_there_is_null),
        cmocka_unit_test(an_answer_comes_with_status_and_last_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
