/* assemble.c - runs the compiler on a kernel's assembly text. SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/kernel/assemble.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "validate/host/hash.h"
#include "validate/host/process.h"
#include "validate/host/search.h"

enum { COMPILER_WORDS = 16, COMPILER_SECONDS = 60 };

/* The compiler's command line, to be split into words and freed by the caller. */
static char *find_compiler(struct error *error) {
    static const char *const candidates[] = {"gcc", "cc", "clang"};
    const char *chosen = getenv("CC");
    char file[PATH_MAX];
    if (chosen != NULL && chosen[strspn(chosen, " ")] == '\0')
        chosen = NULL;
    for (size_t i = 0; chosen == NULL && i < sizeof candidates / sizeof candidates[0]; i++) {
        if (search_program(candidates[i], file) == 0)
            chosen = candidates[i];
    }
    if (chosen == NULL) {
        error_set(error, "no compiler: none of gcc, cc, clang is in PATH; install gcc, or set CC");
        return NULL;
    }
    char *copy = strdup(chosen);
    if (copy == NULL)
        error_set(error, "no memory to start the compiler; free some");
    return copy;
}

static int write_file(const char *path, const char *text, struct error *error) {
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return error_set(error, "%s: %s; give a folder that can be written to", path, strerror(errno));
    int failed = fputs(text, file) < 0 ? errno : 0;
    if (fclose(file) != 0 && failed == 0)
        failed = errno;
    if (failed != 0) {
        unlink(path);
        return error_set(error, "%s: %s; make room or give another folder", path, strerror(failed));
    }
    return 0;
}

/* Some linkers put the position in the object between the line and the message: "(.text+0x14): ". */
static const char *after_section(const char *message) {
    const char *end = *message == '(' ? strstr(message, "): ") : NULL;
    return end != NULL && memchr(message, '\n', (size_t)(end - message)) == NULL ? end + strlen("): ") : message;
}

/* Compilers print context around their first error: selects the line that names the .ptt. */
static int complain(const struct ptt *ptt, const char *compiler, const struct process *process, struct error *error) {
    const char *messages = process->messages != NULL ? process->messages : "";
    size_t path_length = strlen(ptt->path);
    for (const char *at = messages; (at = strstr(at, ptt->path)) != NULL; at += path_length) {
        if (at[path_length] != ':')
            continue;
        size_t digits = strspn(at + path_length + 1, "0123456789"), place = path_length + digits + 2; /* PATH:LINE: */
        if (digits == 0 || at[place - 1] != ':')
            continue;
        const char *message = after_section(at + place + strspn(at + place, " "));
        return error_set(error, "%.*s %.*s; correct the instruction", (int)place, at, (int)strcspn(message, "\n"),
                         message);
    }
    if (process->timed_out)
        return error_set(error, "%s: %s took longer than %d s; run it again or set CC", ptt->path, compiler,
                         COMPILER_SECONDS);
    return error_set(error, "%s: %s failed with status %d: %.*s; set CC to a working compiler", ptt->path, compiler,
                     process->status, (int)strcspn(messages, "\n"), messages);
}

static int compile(const struct ptt *ptt, const char *source, const char *object, struct error *error) {
    char *compiler = find_compiler(error);
    if (compiler == NULL)
        return -1;
    /* -g: the linker then also names the .ptt's line for an undefined constant. */
    const char *const options[] = {"-shared", "-fPIC",     "-nostdlib", "-g", "-Wl,-z,defs", "-Wl,--build-id=none",
                                   "-x",      "assembler", source,      "-o", object};
    char *arguments[COMPILER_WORDS + sizeof options / sizeof options[0] + 1];
    size_t count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(compiler, " ", &rest); word != NULL && count < COMPILER_WORDS;
         word = strtok_r(NULL, " ", &rest))
        arguments[count++] = word;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        arguments[count++] = (char *)options[i];
    arguments[count] = NULL;

    struct process process;
    int result = process_start(&process, arguments, environ, NULL, COMPILER_SECONDS, error);
    if (result == 0) {
        process_wait(&process);
        if (process.status != 0)
            result = complain(ptt, arguments[0], &process, error);
        process_free(&process);
    }
    free(compiler);
    return result;
}

int kernel_assemble(const struct ptt *ptt, const char *folder, char *object, size_t size, struct error *error) {
    char *text = kernel_assembly(ptt);
    if (text == NULL)
        return error_set(error, "%s: no memory to assemble it; free some", ptt->path);
    uint64_t sum = hash_text(text);
    char source[PATH_MAX], unfinished[PATH_MAX];
    int length = snprintf(object, size, "%s/%s-%016" PRIx64 ".so", folder, ptt->name, sum);
    snprintf(source, sizeof source, "%s/%s-%016" PRIx64 ".%ld.s", folder, ptt->name, sum, (long)getpid());
    int longest =
        snprintf(unfinished, sizeof unfinished, "%s/%s-%016" PRIx64 ".%ld.so", folder, ptt->name, sum, (long)getpid());
    int result = 0;
    if ((size_t)length >= size || (size_t)longest >= sizeof unfinished) {
        result = error_set(error, "%s: path too long for %s; give a shorter one", folder, ptt->name);
    } else if (access(object, R_OK) != 0) {
        result = write_file(source, text, error);
        if (result == 0) {
            result = compile(ptt, source, unfinished, error);
            if (result == 0 && rename(unfinished, object) != 0)
                result = error_set(error, "%s: %s; give a folder that can be written to", object, strerror(errno));
            unlink(source);
            if (result != 0)
                unlink(unfinished);
        }
    }
    free(text);
    return result;
}
