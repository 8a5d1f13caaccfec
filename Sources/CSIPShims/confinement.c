// SPDX-License-Identifier: GPL-3.0-or-later

#define _GNU_SOURCE
#include "CSIPShims.h"

#include <fcntl.h>
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
    uint64_t access = writable ? handled & ~EXECUTE : EXECUTE | READ_FILE | READ_DIR;
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
