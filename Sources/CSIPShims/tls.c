// SPDX-License-Identifier: GPL-3.0-or-later

// The name of the server whose certificate is verified, which belle-sip does not tell. It gives the name to bctoolbox
// before the handshake, and both functions are replaced here: the program's own take precedence over a library's
// (ld.so(8)). The media's threads make handshakes, too, but without names.

#define _GNU_SOURCE
#include "CSIPShims.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

struct bctbx_ssl_context_struct;

int32_t bctbx_ssl_set_hostname(struct bctbx_ssl_context_struct *context, const char *host);
int32_t bctbx_ssl_handshake(struct bctbx_ssl_context_struct *context);

// Those beyond are forgotten, so that no exception is made for their certificates.
enum { most_connections = 32 };

struct connection {
    const struct bctbx_ssl_context_struct *context;  // only compared: it may have been freed
    char host[sipshims_longest_host + 1];
};

static struct connection connections[most_connections];
static size_t next;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local const struct bctbx_ssl_context_struct *present;

static void note(const struct bctbx_ssl_context_struct *context, const char *host) {
    pthread_mutex_lock(&lock);
    struct connection *connection = NULL;
    for (size_t i = 0; i < most_connections; i++)
        if (connections[i].context == context) connection = &connections[i];
    if (!connection) {
        connection = &connections[next];
        next = (next + 1) % most_connections;
    }
    connection->context = context;
    // A name that is too long is no server's.
    if (host && strlen(host) <= sipshims_longest_host) strcpy(connection->host, host);
    else connection->host[0] = '\0';
    pthread_mutex_unlock(&lock);
}

void sipshims_verified_host(char host[sipshims_longest_host + 1]) {
    host[0] = '\0';
    if (!present) return;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < most_connections; i++)
        if (connections[i].context == present) strcpy(host, connections[i].host);
    pthread_mutex_unlock(&lock);
}

int32_t bctbx_ssl_set_hostname(struct bctbx_ssl_context_struct *context, const char *host) {
    static int32_t (*original)(struct bctbx_ssl_context_struct *, const char *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "bctbx_ssl_set_hostname");
    note(context, host);
    return original ? original(context, host) : -1;
}

int32_t bctbx_ssl_handshake(struct bctbx_ssl_context_struct *context) {
    static int32_t (*original)(struct bctbx_ssl_context_struct *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "bctbx_ssl_handshake");
    present = context;
    int32_t result = original ? original(context) : -1;
    present = NULL;
    return result;
}
