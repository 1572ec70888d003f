/* remembered.c - keeps what LIKWID tells of itself (version, paths) in the cache folder. The file's name has a hash of
 * what the answer depends on: the identity of likwid-perfctr, of the access daemons that it may find and of its
 * configuration files, and the variables of linker, Lua and LIKWID. Its first line is the identity of the library that
 * the answer names.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/likwid/remembered.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "validate/host/hash.h"
#include "validate/host/search.h"
#include "validate/host/text.h"

extern char **environ;

/* A file that is written anew, or replaced, gets another time of change. */
void remembered_identity(FILE *out, const char *path) {
    struct stat s = {0};
    int exists = stat(path, &s) == 0;
    fprintf(out, "%s %d %ju %ju %jd %jd.%09ld %jd.%09ld\n", path, exists, (uintmax_t)s.st_dev, (uintmax_t)s.st_ino,
            (intmax_t)s.st_size, (intmax_t)s.st_mtim.tv_sec, s.st_mtim.tv_nsec, (intmax_t)s.st_ctim.tv_sec,
            s.st_ctim.tv_nsec);
}

static int is_lua_script(const char *path) {
    char line[PATH_MAX] = "";
    FILE *file = fopen(path, "re");
    int is_read = file != NULL && fgets(line, sizeof line, file) != NULL;
    if (file != NULL)
        fclose(file);
    return is_read && strncmp(line, "#!", 2) == 0 && strstr(line, "lua") != NULL;
}

static void print_variables(FILE *out) {
    static const char *const begins[] = {"LD_", "LUA", "LIKWID"};
    for (char **entry = environ; *entry != NULL; entry++)
        for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
            if (strncmp(*entry, begins[i], strlen(begins[i])) == 0)
                fprintf(out, "%s\n", *entry);
}

static void print_key(FILE *out, const char *perfctr) {
    static const char daemon[] = "likwid-accessD", configuration[] = "LIKWID_CFG_FILE";
    const char *named = getenv(configuration);
    int folder = (int)(strrchr(perfctr, '/') - perfctr);
    char path[PATH_MAX], beside[PATH_MAX + 32];
    remembered_identity(out, perfctr);
    remembered_identity(out, search_program(daemon, path) == 0 ? path : daemon);
    snprintf(beside, sizeof beside, "%.*s/../sbin/%s", folder, perfctr, daemon);
    remembered_identity(out, beside);
    snprintf(beside, sizeof beside, "%.*s/../etc/likwid.cfg", folder, perfctr);
    remembered_identity(out, beside);
    remembered_identity(out, "/etc/likwid.cfg");
    remembered_identity(out, named != NULL ? named : configuration);
    print_variables(out);
}

int remembered_file(const struct paths *paths, const char *perfctr, char file[PATH_MAX]) {
    char cache[PATH_MAX], *key = NULL;
    size_t size = 0;
    struct error ignored;
    if (!is_lua_script(perfctr) || paths_cache(paths, cache, &ignored) != 0)
        return -1;
    FILE *out = open_memstream(&key, &size);
    if (out == NULL)
        return -1;
    print_key(out, perfctr);
    int failed = fclose(out);
    if (failed == 0)
        failed = paths_format(file, &ignored, "%s/likwid-%016" PRIx64 ".txt", cache, hash_text(key));
    free(key);
    return failed != 0 ? -1 : 0;
}

/* Prints the identity of the library that the answer names. */
static void print_library(FILE *out, const char *answer) {
    char library[PATH_MAX] = "-";
    const char *line = strstr(answer, "\nlibrary ");
    if (line != NULL)
        sscanf(line, "\nlibrary %4095[^\n]", library);
    remembered_identity(out, library);
}

char *remembered_read(const char *file) {
    struct error ignored;
    size_t size = 0;
    char *now = NULL, *answer = NULL, *text = text_read(file, &ignored);
    const char *end = text != NULL ? strchr(text, '\n') : NULL;
    FILE *out = end != NULL ? open_memstream(&now, &size) : NULL;
    if (out != NULL) {
        print_library(out, end);
        if (fclose(out) == 0 && strncmp(now, text, size) == 0)
            answer = strdup(text + size);
    }
    free(now);
    free(text);
    return answer;
}

void remembered_write(const char *file, const char *answer) {
    char unfinished[PATH_MAX + 32];
    snprintf(unfinished, sizeof unfinished, "%s.%ld", file, (long)getpid());
    FILE *out = fopen(unfinished, "we");
    if (out == NULL)
        return;
    print_library(out, answer);
    int failed = fputs(answer, out) < 0 || ferror(out);
    if (fclose(out) != 0 || failed || rename(unfinished, file) != 0)
        unlink(unfinished);
}
