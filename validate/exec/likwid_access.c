/* likwid_access.c PERFCTR - prints how the installed LIKWID is built, from its library: "lock FILE" or "lock -", then
 * "perf_event", "direct" or "accessdaemon PATH". LIKWID searches for the daemon in PATH, its configuration file and its
 * prefix; the prefix of likwid-perfctr, which may be another than the library's, is added.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <dlfcn.h>
#include <fcntl.h>
#include <likwid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = 1 << 16 };

/* LIKWID's library mapped as data; NULL if that fails. */
static const char *map_library(size_t *size) {
    Dl_info found;
    struct stat status;
    void *function = dlsym(RTLD_DEFAULT, "perfmon_init"), *bytes = MAP_FAILED;
    int file = function != NULL && dladdr(function, &found) != 0 ? open(found.dli_fname, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0 && fstat(file, &status) == 0)
        bytes = mmap(NULL, *size = (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (file >= 0)
        close(file);
    return bytes != MAP_FAILED ? bytes : NULL;
}

/* The path of the lock file, which is a text of the library; LIKWID has no function that tells it. */
static const char *lock_file(void) {
    static const char name[] = "/likwid.lock";
    size_t size = 0;
    const char *bytes = map_library(&size), *end = bytes != NULL ? memmem(bytes, size, name, sizeof name) : NULL;
    const char *begin = end;
    while (begin != NULL && begin > bytes && begin[-1] != '\0')
        begin--;
    return begin != NULL ? begin : "-";
}

/* Adds ../sbin of the program's folder at the end of PATH. */
static void add_prefix(const char *program) {
    char path[PATH_ROOM];
    const char *slash = program != NULL ? strrchr(program, '/') : NULL, *known = getenv("PATH");
    if (slash != NULL && known != NULL &&
        snprintf(path, sizeof path, "%s:%.*s/../sbin", known, (int)(slash - program), program) < (int)sizeof path)
        setenv("PATH", path, 1);
}

int main(int argc, char **argv) {
    add_prefix(argc > 1 ? argv[1] : NULL);
    Configuration_t found = init_configuration() == 0 ? get_configuration() : NULL;
    if (found == NULL)
        return 1;
    printf("lock %s\n", lock_file());
    if (found->daemonMode == ACCESSMODE_DAEMON)
        printf("accessdaemon %s\n", found->daemonPath != NULL ? found->daemonPath : "");
    else
        puts(found->daemonMode == ACCESSMODE_PERF ? "perf_event" : "direct");
    return 0;
}
