// SPDX-License-Identifier: GPL-3.0-or-later

#define _GNU_SOURCE
#include "CHelperShims.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The numbers and structures of linux/landlock.h, whose version in Debian 12 lacks the newer rights.
enum {
    create_ruleset = 444,
    add_rule = 445,
    restrict_self = 446,
    only_version = 1,
    path_beneath = 1,
};

#define EXECUTE (1ull << 0)
#define WRITE_FILE (1ull << 1)
#define READ_FILE (1ull << 2)
#define READ_DIR (1ull << 3)
#define TRUNCATE (1ull << 14)
#define IOCTL_DEV (1ull << 15)
#define FOR_FILES (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV)

#define SCOPE_ABSTRACT_SOCKETS (1ull << 0)
#define SCOPE_SIGNALS (1ull << 1)

struct ruleset_attr {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};

struct path_beneath_attr {
    uint64_t allowed_access;
    int32_t parent_fd;
} __attribute__((packed));

static uint64_t handled;

void chelper_harden(void) {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    // Only root has any. One remains, for threads that play sound on time.
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2] = {{0}};
    if (syscall(SYS_capget, &header, data) != 0) return;
    uint32_t kept = data[0].permitted & 1u << CAP_SYS_NICE;
    data[0] = (struct __user_cap_data_struct){.effective = kept, .permitted = kept};
    data[1] = (struct __user_cap_data_struct){0};
    syscall(SYS_capset, &header, data);
}

int chelper_ruleset(void) {
    long version = syscall(create_ruleset, NULL, 0, only_version);
    if (version < 1) return -1;
    // 13 rights in the first version, then REFER, TRUNCATE and IOCTL_DEV.
    int rights = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
    handled = (1ull << rights) - 1;
    struct ruleset_attr attributes = {.handled_access_fs = handled};
    // Seccomp does the same, where it is available.
    if (version >= 6) attributes.scoped = SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS;
    size_t size = version >= 6 ? sizeof attributes : sizeof attributes.handled_access_fs;
    return (int)syscall(create_ruleset, &attributes, size, 0);
}

void chelper_allow(int ruleset, const char *path, bool writable) {
    int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0) return;
    struct stat status;
    uint64_t access = writable ? handled & ~EXECUTE : READ_FILE | READ_DIR;
    if (fstat(file, &status) == 0 && !S_ISDIR(status.st_mode)) access &= FOR_FILES;
    struct path_beneath_attr rule = {.allowed_access = access & handled, .parent_fd = file};
    syscall(add_rule, ruleset, path_beneath, &rule, 0);
    close(file);
}

bool chelper_enforce(int ruleset) {
    bool enforced = syscall(restrict_self, ruleset, 0) == 0;
    close(ruleset);
    return enforced;
}

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define ARCHITECTURE 0
#endif

/// System calls that helpers do not need.
static const long denied[] = {
    // Start programs.
    SYS_execve, SYS_execveat,
    // Read, change or signal other processes.
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_pidfd_getfd, SYS_pidfd_open,
    SYS_pidfd_send_signal, SYS_kill, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
    // Accept connections.
    SYS_listen, SYS_accept, SYS_accept4,
    // Change or watch files that cannot be opened: Landlock does not cover this.
    SYS_fchmodat, SYS_fchownat, SYS_setxattr, SYS_lsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_utimensat,
    SYS_inotify_add_watch, SYS_fanotify_init,
#ifdef __x86_64__
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
    // Change or attack the system.
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_move_mount, SYS_open_tree,
    SYS_fsopen, SYS_fsmount, SYS_open_by_handle_at, SYS_swapon, SYS_swapoff, SYS_reboot,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load,
    SYS_keyctl, SYS_add_key, SYS_request_key,
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup,
};

enum { fchmodat2 = 452, setxattrat = 463, removexattrat = 466 };

/// Namespaces of a new process; one of users gives capabilities in it.
enum {
    new_namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET
};

/// A filter under construction.
struct program {
    struct sock_filter instructions[256];
    unsigned short length;
};

static void add(struct program *program, unsigned short code, uint32_t value, uint8_t if_true, uint8_t if_false) {
    program->instructions[program->length++] =
        (struct sock_filter)BPF_JUMP(code, value, if_true, if_false);
}

static void load(struct program *program, size_t offset) {
    add(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/// Loads the lower half of an argument: all that are compared are of type int, or as short.
static void load_argument(struct program *program, int index) {
    load(program, offsetof(struct seccomp_data, args) + 8u * (unsigned)index);
}

static void give(struct program *program, uint32_t action) { add(program, BPF_RET | BPF_K, action, 0, 0); }

static void deny(struct program *program) { give(program, SECCOMP_RET_ERRNO | EPERM); }

/// Adds the instructions for one system call, whose number is loaded: those that `body` adds, which must end.
static void on_call(struct program *program, long number, void (*body)(struct program *)) {
    unsigned short start = program->length;
    add(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 0);
    body(program);
    program->instructions[start].jf = (uint8_t)(program->length - start - 1);
}

/// Allows the call if the loaded value is equal to `value`, and goes on otherwise.
static void allow_if(struct program *program, uint32_t value) {
    add(program, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    give(program, SECCOMP_RET_ALLOW);
}

static void say_missing(struct program *program) { give(program, SECCOMP_RET_ERRNO | ENOSYS); }

static void only_new_threads(struct program *program) {
    load_argument(program, 0);
    add(program, BPF_JMP | BPF_JSET | BPF_K, (uint32_t)new_namespaces, 0, 1);
    deny(program);
    give(program, SECCOMP_RET_ALLOW);
}

/// Denies the call unless the loaded socket type is a stream or, if `has_datagrams`, datagrams.
static void only_types(struct program *program, bool has_datagrams) {
    add(program, BPF_ALU | BPF_AND | BPF_K, 0xf, 0, 0);
    allow_if(program, SOCK_STREAM);
    if (has_datagrams) allow_if(program, SOCK_DGRAM);
    give(program, SECCOMP_RET_ERRNO | EACCES);
}

static void only_internet(struct program *program) {
    load_argument(program, 0);
    // The list of network interfaces.
    add(program, BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 0, 4);
    load_argument(program, 2);
    allow_if(program, NETLINK_ROUTE);
    give(program, SECCOMP_RET_ERRNO | EACCES);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 2, 0);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 1, 0);
    give(program, SECCOMP_RET_ERRNO | EACCES);
    load_argument(program, 1);
    only_types(program, true);
}

/// Sockets of datagrams that are a pair could be connected to another address.
static void only_streams(struct program *program) {
    load_argument(program, 1);
    only_types(program, false);
}

static void only_own_threads(struct program *program) {
    load_argument(program, 0);
    allow_if(program, (uint32_t)getpid());
    deny(program);
}

static void only_own_limits(struct program *program) {
    load_argument(program, 0);
    allow_if(program, 0);
    allow_if(program, (uint32_t)getpid());
    deny(program);
}

/// These type into the terminal from which the phone was started.
static void no_typing(struct program *program) {
    load_argument(program, 1);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, TIOCSTI, 1, 0);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, TIOCLINUX, 0, 1);
    deny(program);
    give(program, SECCOMP_RET_ALLOW);
}

bool chelper_deny_calls(void) {
    struct program program = {.length = 0};
    load(&program, offsetof(struct seccomp_data, arch));
    add(&program, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    deny(&program);
    load(&program, offsetof(struct seccomp_data, nr));
    // Beyond are the calls of x32, by which all others could be made.
    add(&program, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
    deny(&program);
    for (size_t i = 0; i < sizeof denied / sizeof *denied; i++) on_call(&program, denied[i], deny);
    on_call(&program, fchmodat2, deny);
    on_call(&program, setxattrat, deny);
    on_call(&program, removexattrat, deny);
    // The C library then uses clone, whose flags can be read.
    on_call(&program, SYS_clone3, say_missing);
    on_call(&program, SYS_clone, only_new_threads);
    on_call(&program, SYS_socket, only_internet);
    on_call(&program, SYS_socketpair, only_streams);
    on_call(&program, SYS_tgkill, only_own_threads);
    on_call(&program, SYS_prlimit64, only_own_limits);
    on_call(&program, SYS_ioctl, no_typing);
    give(&program, SECCOMP_RET_ALLOW);
    struct sock_fprog filter = {.len = program.length, .filter = program.instructions};
    // For all threads, if a library has started one.
    return ARCHITECTURE != 0
        && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0;
}
