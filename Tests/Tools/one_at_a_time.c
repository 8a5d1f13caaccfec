// SPDX-License-Identifier: GPL-3.0-or-later
// A library to preload that tells whether two threads look up passwords with libsecret at the same moment: each look-up
// waits for a second one for a while, and then ends the program with the status 99 if there was one.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

typedef char *(*look_up)(const void *, void *, void *, void **);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t came = PTHREAD_COND_INITIALIZER;
static int inside;

char *secret_password_lookupv_sync(const void *schema, void *attributes, void *cancellable, void **error) {
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_nsec += 200 * 1000 * 1000;
    limit.tv_sec += limit.tv_nsec / 1000000000;
    limit.tv_nsec %= 1000000000;
    pthread_mutex_lock(&lock);
    inside++;
    pthread_cond_broadcast(&came);
    while (inside < 2 && pthread_cond_timedwait(&came, &lock, &limit) == 0) {}
    if (inside > 1) _exit(99);
    pthread_mutex_unlock(&lock);
    look_up real = (look_up)dlsym(RTLD_NEXT, "secret_password_lookupv_sync");
    char *found = real(schema, attributes, cancellable, error);
    pthread_mutex_lock(&lock);
    inside--;
    pthread_mutex_unlock(&lock);
    return found;
}
