/* host_script.c - calls from C into Lua go through declared doors only; a violation is reported in one line.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include "validate/host/script.h"

static const char file_fields[] = "{s:s, s:s}";

/* Calls a door of this checkout; returns the error message, or "". */
static const char *refusal(const char *door, json_t *argument) {
    static struct error error;
    error.text[0] = '\0';
    json_decref(script_call_once(".", door, argument, &error));
    return error.text;
}

TEST(a_declared_door_gives_its_result) {
    struct error error;
    json_t *argument = json_pack(file_fields, "text", "load: a load\n", "file", "concepts.txt");
    json_t *found = script_call_once(".", "read:concepts", argument, &error);
    assert_int_equal(json_array_size(found), 1);
    assert_string_equal(json_string_value(json_object_get(json_array_get(found, 0), "name")), "load");
    json_decref(found);
}

TEST(what_is_not_declared_is_refused_by_name) {
    assert_string_equal(refusal("read:nothing", json_object()),
                        "door read:nothing: lua/doors/list.lua declares none of that name");
    assert_string_equal(refusal("read:concepts", json_pack("{s:s}", "file", "a")),
                        "door read:concepts: the argument has no field 'text'; correct it or lua/doors/list.lua");
    assert_string_equal(refusal("read:concepts", json_pack("{s:i, s:s}", "text", 1, "file", "a")),
                        "door read:concepts: the argument has a number in the field 'text', not a text; correct it or "
                        "lua/doors/list.lua");
    assert_string_equal(
        refusal("read:concepts", json_pack("{s:s, s:s, s:b}", "text", "", "file", "a", "more", 1)),
        "door read:concepts: the argument has an unknown field 'more'; correct it or lua/doors/list.lua");
}

/* json_pack() returns NULL for texts that are not UTF-8. */
TEST(no_argument_is_refused) {
    assert_string_equal(refusal("read:concepts", NULL),
                        "read:concepts: its input is not UTF-8, or there is no memory for it");
}

TEST(errors_of_a_file_name_file_and_line) {
    assert_string_equal(refusal("read:concepts", json_pack(file_fields, "text", "load\n", "file", "c.txt")),
                        "c.txt:1: a line is 'NAME: what it is' or 'NAME = NAME + NAME: what it is', not 'load'");
}

/* A door keeps no state: calls in one Lua state give the same results as calls in separate ones. */
TEST(calls_do_not_depend_on_each_other) {
    struct error error;
    struct script *script = script_open(".", &error);
    assert_non_null(script);
    json_t *first = script_read(script, "read:group", GROUPS "/zen3/ASSAY_TLB.txt", &error);
    json_decref(script_read(script, "read:group", GROUPS "/haswellEP/ASSAY_TLB.txt", &error));
    json_t *again = script_read(script, "read:group", GROUPS "/zen3/ASSAY_TLB.txt", &error);
    assert_non_null(first);
    assert_true(json_equal(first, again));
    json_decref(first);
    json_decref(again);
    script_close(script);
}
