/* lua_file.h - for harnesses of parsers in Lua: calls them as the program does (validate/host/script.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_FUZZ_LUA_FILE_H
#define ASSAY_TESTS_FUZZ_LUA_FILE_H

#include <stdlib.h>

#include "fuzz.h"
#include "validate/host/script.h"

enum { SCRIPT_USES = 500 }; /* of one Lua: what a file may leave behind in it must not pile up */

/* What a door makes of the argument, which is taken, to be given back to json_decref(), or NULL and a refusal,
 * about `file`, that has been checked. */
static inline json_t *call_lua(const char *door, json_t *argument, const char *file) {
    static struct script *script;
    static unsigned uses;
    struct error error = {""};
    if (argument == NULL) /* not UTF-8: the host refuses it before Lua sees it */
        return NULL;
    if (uses++ % SCRIPT_USES == 0) {
        script_close(script);
        script = script_open(".", &error);
        FUZZ_CHECK(script, "%s", error.text);
    }
    json_t *result = script_call(script, door, argument, &error);
    if (result)
        fuzz_accept();
    else
        fuzz_check_refusal(error.text, file);
    return result;
}

/* The same of { text = input, file = file }. */
static inline json_t *read_by_lua(const char *door, const char *file, const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    json_t *argument = json_pack("{s:s, s:s}", "text", text, "file", file);
    free(text);
    return call_lua(door, argument, file);
}

#endif
