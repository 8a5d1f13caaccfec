// SPDX-License-Identifier: GPL-3.0-or-later

// System calls of Linux for which Swift has no interface: prctl(2), syscall(2) and ioctl(2) are variadic, and the headers of
// Landlock, of filters and of control messages are macros.

#ifndef CHELPERSHIMS_H
#define CHELPERSHIMS_H

#include <stdbool.h>
#include <sys/types.h>

/// Sends bytes on a socket without waiting, with a descriptor unless that is negative. Returns their number, or -1 with errno set.
ssize_t chelper_send(int socket, const void *bytes, size_t count, int descriptor);

/// Receives bytes on a socket without waiting. Returns their number, 0 at the end, or -1 with errno set.
///
/// `descriptor` gets the descriptor that came with the last of the bytes or before, and -1 if there is none, or several, which are
/// closed. If it is NULL, none is received.
ssize_t chelper_receive(int socket, void *bytes, size_t size, int *descriptor);

/// Keeps other processes of the user from reading this one's memory (no core dumps, no ptrace), gives up root's capabilities, and
/// from then on no program that it starts can gain privileges.
void chelper_harden(void);

/// Creates a Landlock ruleset that denies all access to files. Returns its descriptor, or -1 if the kernel has no
/// Landlock.
int chelper_ruleset(void);

/// Allows reading a file or a folder with its contents, and also writing if `writable`. A missing path is ignored.
void chelper_allow(int ruleset, const char *path, bool writable);

/// Enforces a ruleset on this thread and those that it starts from now on, and closes it. Returns false on failure.
bool chelper_enforce(int ruleset);

/// Makes system calls fail that a helper does not need (seccomp, EPERM): those that start programs, reach other processes,
/// accept connections, or change the system. New sockets can only be of the internet. It applies to all threads of the
/// process, and to those that they start. Returns false on failure, or if the processor is neither x86-64 nor ARM64.
bool chelper_deny_calls(void);

#endif
