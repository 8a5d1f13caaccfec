// SPDX-License-Identifier: GPL-3.0-or-later
#include "CGLibShims.h"

#include <errno.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

static const int end_signals[] = {SIGHUP, SIGINT, SIGTERM};

static volatile sig_atomic_t is_ending;
static volatile sig_atomic_t descriptor = -1;
static volatile sig_atomic_t limit;

static void end(int number) {
    int error = errno;
    if (is_ending) {
        // The default action ends the program as soon as this handler returns.
        signal(number, SIG_DFL);
        raise(number);
    } else {
        is_ending = 1;
        // The default action of SIGALRM ends the program.
        alarm((unsigned)limit);
        uint64_t one = 1;
        ssize_t written = write(descriptor, &one, sizeof one);
        (void)written;
    }
    errno = error;
}

int cglib_watch_end_signals(unsigned seconds) {
    descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (descriptor < 0) return -1;
    limit = (sig_atomic_t)seconds;
    struct sigaction action = {.sa_handler = end, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof end_signals / sizeof *end_signals; i++) {
        struct sigaction before;
        if (sigaction(end_signals[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
        sigaction(end_signals[i], &action, NULL);
    }
    return (int)descriptor;
}
