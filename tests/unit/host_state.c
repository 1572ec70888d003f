/* host_state.c - reading a node's state from files and texts made by hand.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"

#include "validate/host/ask.h"
#include "validate/host/text.h"
#include "validate/node/state.h"

TEST(prefetchers_are_named_with_their_states) {
    json_t *found = state_prefetchers("Feature               HWThread 0\nHW_PREFETCHER         on\nFAST_STRINGS  on\n"
                                      "CL_PREFETCHER         off\nPREFETCHER_OF_X off\n");
    assert_string_equal(json_string_value(found), "HW_PREFETCHER on, CL_PREFETCHER off");
    json_decref(found);
    found = state_prefetchers("no access\n");
    assert_true(json_is_null(found));
    json_decref(found);
}

/* Makes a root folder with this /proc/cpuinfo. */
static void make_root(const char *cpuinfo) {
    char path[64];
    struct error error;
    snprintf(path, sizeof path, "%s/proc", test_folder);
    assert_int_equal(mkdir(path, 0700), 0);
    strcat(path, "/cpuinfo");
    assert_int_equal(text_write(path, cpuinfo, &error), 0);
}

#define ROOT_TEST(name) TEST_WITH(name, void *unused, folder_make, folder_remove)

ROOT_TEST(a_virtual_node_has_its_own_stepping_and_nothing_of_the_host) {
    static const char *const host[] = {"hostname", "access", "prefetchers",    "governor",
                                       "watchdog", "turbo",  "numa_balancing", "cpuset"};
    make_root("processor\t: 0\nmodel\t\t: 63\nmodel name\t: Any 7\ncpu family\t: 6\nstepping\t: 2\nmodel\t\t: 1\n");
    json_t *description = json_pack("{s:i, s:i, s:b}", "sockets", 2, "numa_domains", 8, "large_pages", 1);
    json_t *found = state_read(test_folder, NULL, description);
    assert_int_equal(json_integer_value(json_object_get(found, "family")), 6);
    assert_int_equal(json_integer_value(json_object_get(found, "model")), 63);
    assert_int_equal(json_integer_value(json_object_get(found, "stepping")), 2);
    assert_int_equal(json_integer_value(json_object_get(found, "numa_per_socket")), 4);
    assert_true(json_is_true(json_object_get(found, "large_pages")));
    for (size_t i = 0; i < sizeof host / sizeof *host; i++)
        assert_true(json_is_null(json_object_get(found, host[i])));
    json_decref(found);
    json_decref(description);
}

ROOT_TEST(what_is_not_there_is_null) {
    make_root("");
    json_t *description = json_pack("{s:i, s:i, s:b}", "sockets", 2, "numa_domains", 3, "large_pages", 0);
    json_t *found = state_read(test_folder, NULL, description);
    assert_true(json_is_null(json_object_get(found, "stepping")));
    assert_true(json_is_null(json_object_get(found, "numa_per_socket"))); /* 3 domains in 2 sockets */
    json_decref(found);
    json_decref(description);
}

TEST(an_answer_comes_with_status_and_last_words) {
    char *const question[] = {"sh", "-c", "echo yes; echo first >&2; echo last >&2; exit 3", NULL};
    char *const silence[] = {"true", NULL};
    struct error said;
    int status = -1;
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
