// SPDX-License-Identifier: GPL-3.0-or-later
// What Swift cannot import of the system's C libraries and of Swift's own runtime. One thing each.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// The eventfd that becomes readable when libdispatch's main queue has work. It belongs to libdispatch.
int cglib_main_queue_fd(void);

/// Runs the work that waits in libdispatch's main queue, on the calling thread, which must be the main one.
void cglib_main_queue_drain(void);

/// Sets whether Swift's tasks that are bound to no actor run in libdispatch's main queue instead of its pool of threads.
void cglib_keep_tasks_on_main_queue(bool is_on);

/// Runs `body` in the main loop each time that the descriptor is readable, until it returns 0; returns the source's number.
/// g_unix_fd_add is in <glib-unix.h>; a second module with GLib's headers would have Swift confuse which one a type is of.
unsigned cglib_watch_descriptor(
    int descriptor, int (*_Nonnull body)(int descriptor, unsigned condition, void *_Nullable data), void *_Nullable data);

/// Creates a timer that is readable once after `milliseconds` (a timerfd of CLOCK_BOOTTIME), or returns -1 with errno set.
/// The caller closes it. Swift's Glibc module has no <sys/timerfd.h>.
int cglib_boot_timer(int64_t milliseconds);

/// Runs `body` with `data` on a new detached thread of ordinary priority, also if the calling thread is a real-time one.
/// Returns false, and runs nothing, if the system has no thread left. Swift takes pthread_attr_t to be a part of
/// whichever module includes it first.
bool cglib_start_thread(void *_Nullable (*_Nonnull body)(void *_Nullable), void *_Nullable data);

/// Names the calling thread for ps(1) and debuggers, 15 bytes at most. Swift's Glibc module has no GNU extensions.
void cglib_name_thread(const char *_Nonnull name);
