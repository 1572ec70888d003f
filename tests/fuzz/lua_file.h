/* lua_file.h - for harnesses of parsers in Lua: calls them as the program does (validate/host/script.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_FUZZ_LUA_FILE_H
#define ASSAY_TESTS_FUZZ_LUA_FILE_H

#include <stdlib.h>

#include "fuzz.h"
#include "validate/host/script.h"

enum { SCRIPT_USES = 500 }; /* calls per Lua state: limits what files leave behind in it */

/* Calls a door (script.h) and releases the argument. Returns a new reference, or NULL after checking that the error
 * message is about `file`. */
static inline json_t *call_lua(const char *door, json_t *argument, const char *file) {
    static struct script *script;
    static unsigned uses;
    struct error error = {""};
    if (argument == NULL) /* not UTF-8: refused before Lua is called */
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

/* call_lua() of { text = input, file = file }. */
static inline json_t *read_by_lua(const char *door, const char *file, const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    json_t *argument = json_pack("{s:s, s:s}", "text", text, "file", file);
    free(text);
    return call_lua(door, argument, file);
}

#endif
