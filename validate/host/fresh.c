/* fresh.c - creates new files. SPDX-License-Identifier: GPL-3.0-or-later */
#include "fresh.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

FILE *fresh_open(const char *file) {
    if (unlink(file) != 0 && errno != ENOENT)
        return NULL;
    int descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (descriptor >= 0 && stream == NULL)
        close(descriptor);
    return stream;
}
