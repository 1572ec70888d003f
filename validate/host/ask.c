/* ask.c - runs one command and reads its output. SPDX-License-Identifier: GPL-3.0-or-later */
#include "ask.h"

#include <string.h>
#include <unistd.h>

#include "process.h"

/* Stores the last line of `messages` in `error`, without its newline. */
static void keep_last_line(char *messages, struct error *error) {
    size_t length = messages != NULL ? strlen(messages) : 0;
    while (length > 0 && messages[length - 1] == '\n')
        messages[--length] = '\0';
    const char *newline = length > 0 ? strrchr(messages, '\n') : NULL;
    error_set(error, "%.900s", newline != NULL ? newline + 1 : length > 0 ? messages : "");
}

char *ask(char *const argv[], double seconds, int *status, struct error *error) {
    struct process process;
    if (process_start(&process, argv, environ, NULL, seconds, error) != 0)
        return NULL;
    process_wait(&process);
    char *text = process.output;
    process.output = NULL;
    *status = process.status;
    keep_last_line(process.messages, error);
    process_free(&process);
    if (text == NULL)
        text = strdup("");
    if (text == NULL)
        error_set(error, "%s: no memory for its answer", argv[0]);
    return text;
}
