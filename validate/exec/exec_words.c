/* exec_words.c FILE - becomes the program whose command line is in FILE: words, each with a NUL behind it.
 *
 * LIKWID takes a command apart at its blanks, so that a word with blanks in it, or an empty one, does not reach the
 * program as one. It is linked statically: what it does itself before it is replaced is counted with the program, and
 * that is some thousand instructions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BYTES_MOST = 1 << 20, WORDS_MOST = 1 << 14, NOT_FOUND = 127 };

static char text[BYTES_MOST];
static char *words[WORDS_MOST];

int main(int argc, char **argv) {
    int file = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
    ssize_t length = 0, got = 0;
    while (file >= 0 && (got = read(file, text + length, (size_t)(BYTES_MOST - 1 - length))) > 0)
        length += got;
    size_t count = 0;
    for (ssize_t at = 0; at < length && count < WORDS_MOST - 1; at += (ssize_t)strlen(text + at) + 1)
        words[count++] = text + at;
    if (file < 0 || got < 0 || count == 0) {
        dprintf(2, "exec_words: no command\n");
        return NOT_FOUND;
    }
    execvp(words[0], words);
    dprintf(2, "%s: cannot be executed\n", words[0]);
    return NOT_FOUND;
}
