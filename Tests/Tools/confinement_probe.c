// SPDX-License-Identifier: GPL-3.0-or-later

// A library that tries what touchtone-sip must not do, inside its process: preload it, wait for the engine's `ready`, and send
// SIGUSR2. It makes the system calls itself, because an attacker would not call the program's functions. Each attempt is a line
// in the file CONFINEMENT_PROBE, such as `session-bus 13`: the number of the error, 0 if the attempt succeeds.
//
// Environment: PROBE_UNIX names sockets to connect to, as name=path separated by commas; a path with a leading @ is abstract.
// PROBE_READ and PROBE_WRITE name files, and PROBE_PID a process.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int report = -1;

static void say(const char *kind, const char *name, long result) {
    char line[512];
    int error = result < 0 ? errno : 0;
    int length = snprintf(line, sizeof line, "%s%s%s %d\n", kind, *name ? " " : "", name, error);
    syscall(SYS_write, report, line, length);
}

#define TRY(name, call) (errno = 0, say(name, "", (long)(call)))

/// Calls `body` with the name and the value of each entry in a variable.
static void each(const char *variable, void (*body)(const char *, const char *)) {
    const char *value = getenv(variable);
    char list[4096], *rest = list, *entry;
    if (snprintf(list, sizeof list, "%s", value != NULL ? value : "") >= (int)sizeof list) abort();
    while ((entry = strsep(&rest, ",")) != NULL) {
        char *path = strchr(entry, '=');
        if (path == NULL) continue;
        *path++ = 0;
        body(entry, path);
    }
}

static socklen_t address_of(const char *path, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    strncpy(address->sun_path, path, sizeof address->sun_path - 1);
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
    if (path[0] == '@') address->sun_path[0] = 0;
    return path[0] == '@' ? length : length + 1;
}

/// By a new socket, by one of a pair whose other end is closed, and by one of datagrams that is connected anew.
static void connect_to(const char *name, const char *path) {
    struct sockaddr_un address;
    socklen_t length = address_of(path, &address);
    long made = syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0);
    say("connect", name, made < 0 ? made : syscall(SYS_connect, made, &address, length));
    if (made >= 0) close((int)made);
    int pair[2];
    long result = syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, pair);
    if (result == 0) {
        close(pair[1]);
        result = syscall(SYS_connect, pair[0], &address, length);
        int error = errno;
        close(pair[0]);
        errno = error;
    }
    say("connect-pair", name, result);
    result = syscall(SYS_socketpair, AF_UNIX, SOCK_DGRAM, 0, pair);
    say("connect-datagrams", name, result < 0 ? result : syscall(SYS_connect, pair[0], &address, length));
    // By the process that connects to sound servers: the program's own function asks it.
    made = socket(AF_UNIX, SOCK_STREAM, 0);
    say("connect-by-library", name, made < 0 ? made : connect((int)made, (struct sockaddr *)&address, length));
    if (made >= 0) close((int)made);
}

static void read_file(const char *name, const char *path) {
    long made = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    say("read", name, made);
    if (made >= 0) close((int)made);
}

static void write_file(const char *name, const char *path) {
    long made = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_NONBLOCK | O_NOCTTY);
    say("write", name, made);
    if (made >= 0) close((int)made);
    say("truncate", name, syscall(SYS_truncate, path, 0));
    say("change-mode", name, syscall(SYS_fchmodat, AT_FDCWD, path, 0777));
    say("change-times", name, syscall(SYS_utimensat, AT_FDCWD, path, NULL, 0));
    say("set-attribute", name, syscall(SYS_setxattr, path, "user.x", "x", 1, 0));
    say("watch", name, syscall(SYS_inotify_add_watch, inotify_init1(IN_CLOEXEC), path, IN_ALL_EVENTS));
    say("remove", name, syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}

static void try_sockets(void) {
    static const struct {
        const char *name;
        int domain, type, protocol;
    } kinds[] = {
        {"socket-packet", AF_PACKET, SOCK_RAW, 0}, {"socket-raw", AF_INET, SOCK_RAW, 1},
        {"socket-vsock", AF_VSOCK, SOCK_STREAM, 0}, {"socket-alg", AF_ALG, SOCK_SEQPACKET, 0},
        {"socket-audit", AF_NETLINK, SOCK_RAW, 9}, {"socket-bluetooth", AF_BLUETOOTH, SOCK_STREAM, 3},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        TRY(kinds[i].name, syscall(SYS_socket, kinds[i].domain, kinds[i].type, kinds[i].protocol));
    long stream = syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
    TRY("listen", syscall(SYS_listen, stream, 1));
    close((int)stream);
}

static void try_processes(void) {
    const char *value = getenv("PROBE_PID");
    pid_t other = value != NULL ? atoi(value) : getppid();
    static char *const arguments[] = {"/bin/true", NULL};
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        syscall(SYS_execve, arguments[0], arguments, NULL);
        _exit(errno);
    }
    int status = 0;
    waitpid(child, &status, 0);
    errno = WEXITSTATUS(status);
    say("exec", "", errno != 0 ? -1 : 0);
    TRY("ptrace", syscall(SYS_ptrace, PTRACE_SEIZE, other, 0, 0));
    TRY("signal", syscall(SYS_kill, other, 0));
    TRY("signal-thread", syscall(SYS_tgkill, other, other, 0));
    TRY("pidfd", syscall(SYS_pidfd_open, other, 0));
    TRY("limits", syscall(SYS_prlimit64, other, RLIMIT_CORE, NULL, NULL));
    TRY("user-namespace", syscall(SYS_unshare, CLONE_NEWUSER));
    child = (pid_t)syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    say("user-namespace-clone", "", child);
    // Where the attempt is allowed, it must cover nothing that other programs use.
    errno = 0;
    long mounted = syscall(SYS_mount, "none", "/mnt", "tmpfs", 0, "");
    say("mount", "", mounted);
    if (mounted == 0) syscall(SYS_umount2, "/mnt", 2 /* MNT_DETACH */);
    TRY("chroot", syscall(SYS_chroot, "/"));
    TRY("type-into-terminal", syscall(SYS_ioctl, 2, TIOCSTI, "x"));
    // A number above 32 bits must not hide the request.
    TRY("type-into-terminal-64", syscall(SYS_ioctl, 2, 0x100000000ul | TIOCSTI, "x"));
    TRY("io-uring", syscall(SYS_io_uring_setup, 1, NULL));
    TRY("keyring", syscall(SYS_keyctl, 0, -3, 0, 0, 0));
}

// The signal may come while the process allocates memory or holds a lock, so nothing here does; fork(2) would.
static void try_all(int number) {
    (void)number;
    each("PROBE_UNIX", connect_to);
    each("PROBE_READ", read_file);
    each("PROBE_WRITE", write_file);
    try_sockets();
    try_processes();
    // What has to work.
    TRY("own-random", syscall(SYS_openat, AT_FDCWD, "/dev/urandom", O_RDONLY));
    TRY("own-signal", syscall(SYS_tgkill, getpid(), getpid(), 0));
    TRY("own-socket", syscall(SYS_socket, AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    syscall(SYS_write, report, "end 0\n", 6);
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CONFINEMENT_PROBE");
    if (path == NULL) return;
    report = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    signal(SIGUSR2, try_all);
    // The thread that starts this process may block all signals, as those of libdispatch do.
    sigset_t numbers;
    sigemptyset(&numbers);
    sigaddset(&numbers, SIGUSR2);
    sigprocmask(SIG_UNBLOCK, &numbers, NULL);
    syscall(SYS_write, report, "loaded 0\n", 9);
}
