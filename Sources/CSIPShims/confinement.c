// SPDX-License-Identifier: GPL-3.0-or-later

#define _GNU_SOURCE
#include "CSIPShims.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
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

struct ruleset_attr {
    uint64_t handled_access_fs;
};

struct path_beneath_attr {
    uint64_t allowed_access;
    int32_t parent_fd;
} __attribute__((packed));

static uint64_t handled;

void sipshims_harden(void) {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

int sipshims_ruleset(void) {
    long version = syscall(create_ruleset, NULL, 0, only_version);
    if (version < 1) return -1;
    // 13 rights in the first version, then REFER, TRUNCATE and IOCTL_DEV.
    int rights = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
    handled = (1ull << rights) - 1;
    struct ruleset_attr attributes = {.handled_access_fs = handled};
    return (int)syscall(create_ruleset, &attributes, sizeof attributes, 0);
}

void sipshims_allow(int ruleset, const char *path, bool writable) {
    int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0) return;
    struct stat status;
    uint64_t access = writable ? handled & ~EXECUTE : READ_FILE | READ_DIR;
    if (fstat(file, &status) == 0 && !S_ISDIR(status.st_mode)) access &= FOR_FILES;
    struct path_beneath_attr rule = {.allowed_access = access & handled, .parent_fd = file};
    syscall(add_rule, ruleset, path_beneath, &rule, 0);
    close(file);
}

bool sipshims_enforce(int ruleset) {
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

/// System calls that start programs, read other processes, or change or attack the system; telephony needs none.
static const long denied[] = {
    SYS_execve, SYS_execveat,
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_pidfd_getfd,
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_move_mount, SYS_open_tree,
    SYS_fsopen, SYS_fsmount, SYS_open_by_handle_at, SYS_swapon, SYS_swapoff, SYS_reboot,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load,
    SYS_keyctl, SYS_add_key, SYS_request_key,
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup,
};

#define DENY BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))

bool sipshims_deny_calls(void) {
    enum { count = sizeof denied / sizeof *denied };
    // 6 instructions, 2 for each call, and 1.
    struct sock_filter program[6 + 2 * count + 1] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        DENY,
        LOAD(nr),
        // Beyond are the calls of x32, by which all others could be made.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        DENY,
    };
    unsigned short length = 6;
    for (size_t i = 0; i < count; i++) {
        program[length++] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)denied[i], 0, 1);
        program[length++] = (struct sock_filter)DENY;
    }
    program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog filter = {.len = length, .filter = program};
    return ARCHITECTURE != 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}
