// SPDX-License-Identifier: GPL-3.0-or-later

// Connections to local sockets. The confined process can't make them itself: from such a socket, it could reach the session
// bus, and by that the user's passwords, or the screen. Another process makes those to the sound servers, and no others. The
// sound libraries know nothing of that: the program's own functions take precedence over a library's (ld.so(8)).

#define _GNU_SOURCE
#include "CSIPShims.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

enum { longest_path = sizeof((struct sockaddr_un *)0)->sun_path - 1 };

/// The socket to the other process; -1 before it runs.
static int connector = -1;
static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;

/// Connects to a path. Returns the descriptor, or the negative number of the error.
static int connect_to(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, longest_path);
    // A server that does not accept must not stop the process: it answers one request after another.
    int made = (int)syscall(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0) return -errno;
    if (syscall(SYS_connect, made, &address, (socklen_t)sizeof address) == 0) return made;
    int error = errno;
    close(made);
    return -error;
}

/// Answers requests until the confined process has ended.
static void serve(int requests, const char *const *paths, size_t count) {
    char path[longest_path + 1];
    for (;;) {
        ssize_t length = recv(requests, path, longest_path, 0);
        if (length < 0 && errno == EINTR) continue;
        if (length <= 0) return;
        path[length] = 0;
        int made = -EACCES;
        for (size_t i = 0; i < count; i++)
            if (strcmp(path, paths[i]) == 0) made = connect_to(path);
        int error = made < 0 ? -made : 0;
        struct iovec data = {.iov_base = &error, .iov_len = sizeof error};
        union {
            struct cmsghdr header;
            char bytes[CMSG_SPACE(sizeof(int))];
        } control = {.header = {
                         .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof made)}};
        struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
        if (made >= 0) {
            memcpy(CMSG_DATA(&control.header), &made, sizeof made);
            message.msg_control = &control;
            message.msg_controllen = sizeof control;
        }
        sendmsg(requests, &message, MSG_NOSIGNAL);
        if (made >= 0) close(made);
    }
}

bool sipshims_start_connector(const char *const *paths, size_t count) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
    pid_t child = fork();
    if (child == 0) {
        // It must not hold the connection to the phone, whose end the phone waits for.
        close(STDIN_FILENO);
        close(ends[0]);
        prctl(PR_SET_NAME, "touchtone-sound", 0, 0, 0);
        // The end of the session ends the confined process, which still has its connections.
        signal(SIGHUP, SIG_IGN);
        signal(SIGINT, SIG_IGN);
        signal(SIGTERM, SIG_IGN);
        serve(ends[1], paths, count);
        _exit(0);
    }
    close(ends[1]);
    connector = ends[0];
    if (child > 0) return true;
    close(connector);
    connector = -1;
    return false;
}

/// Asks the other process for a connection to a path. Returns the descriptor, or the negative number of the error.
static int ask(const char *path) {
    int error = 0;
    struct iovec data = {.iov_base = &error, .iov_len = sizeof error};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t length = -1;
    pthread_mutex_lock(&asking);
    if (send(connector, path, strlen(path), MSG_NOSIGNAL) > 0)
        while ((length = recvmsg(connector, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {}
    pthread_mutex_unlock(&asking);
    if (length != sizeof error) return -ECONNREFUSED;
    if (error != 0) return -error;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header == NULL || header->cmsg_type != SCM_RIGHTS) return -ECONNREFUSED;
    int made;
    memcpy(&made, CMSG_DATA(header), sizeof made);
    return made;
}

/// In place of a local socket, returns one end of a pair, which `connect` replaces.
int socket(int domain, int type, int protocol) {
    if (domain != AF_UNIX || connector < 0) return (int)syscall(SYS_socket, domain, type, protocol);
    int ends[2];
    if ((type & ~(SOCK_CLOEXEC | SOCK_NONBLOCK)) != SOCK_STREAM) {
        errno = EACCES;
        return -1;
    }
    if (socketpair(AF_UNIX, type, protocol, ends) != 0) return -1;
    close(ends[1]);
    return ends[0];
}

int connect(int descriptor, const struct sockaddr *address, socklen_t length) {
    if (connector < 0 || address == NULL || length < sizeof(sa_family_t) || address->sa_family != AF_UNIX)
        return (int)syscall(SYS_connect, descriptor, address, length);
    char path[longest_path + 1] = "";
    size_t room = length - offsetof(struct sockaddr_un, sun_path);
    if (length > offsetof(struct sockaddr_un, sun_path))
        memcpy(path, ((const struct sockaddr_un *)address)->sun_path, room < longest_path ? room : longest_path);
    // Abstract addresses begin with a zero; no sound server has one.
    int made = path[0] != 0 ? ask(path) : -EACCES;
    if (made < 0) {
        errno = -made;
        return -1;
    }
    int flags = fcntl(descriptor, F_GETFL);
    fcntl(made, F_SETFL, flags & O_NONBLOCK ? O_NONBLOCK : 0);
    int result = dup3(made, descriptor, fcntl(descriptor, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0);
    close(made);
    return result < 0 ? -1 : 0;
}
