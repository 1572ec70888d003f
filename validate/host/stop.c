/* stop.c - signals that ask to stop. SPDX-License-Identifier: GPL-3.0-or-later */
#include "stop.h"

#include <stddef.h>
#include <unistd.h>

static const int signals[STOP_SIGNALS] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};

/* Global because the signal handler sets it. */
static volatile sig_atomic_t asked;

static void ask(int signal_number) {
    (void)signal_number;
    asked = 1;
}

void stop_catch(struct stop *stop) {
    const struct sigaction action = {.sa_handler = ask};
    for (size_t i = 0; i < STOP_SIGNALS; i++) {
        sigaction(signals[i], &action, &stop->before[i]);
        if (signals[i] == SIGHUP && stop->before[i].sa_handler == SIG_IGN)
            sigaction(signals[i], &stop->before[i], NULL);
    }
}

void stop_after(unsigned seconds) {
    const struct sigaction action = {.sa_handler = ask};
    sigaction(SIGALRM, &action, NULL);
    alarm(seconds);
}

int stop_is_asked(void) {
    return asked;
}

void stop_release(const struct stop *stop) {
    for (size_t i = 0; i < STOP_SIGNALS; i++)
        sigaction(signals[i], &stop->before[i], NULL);
}
