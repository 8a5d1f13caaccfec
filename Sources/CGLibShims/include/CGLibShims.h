// SPDX-License-Identifier: GPL-3.0-or-later
// C functions that Swift cannot import from the system's libraries or from its own runtime.
#pragma once

// bindtextdomain and its like, which Swift's Glibc module does not contain.
#include <libintl.h>
#include <stdbool.h>
#include <stdint.h>

/// Returns the eventfd that becomes readable when libdispatch's main queue has work. It belongs to libdispatch.
int cglib_main_queue_fd(void);

/// Runs the pending work of libdispatch's main queue on the calling thread, which must be the main thread.
void cglib_main_queue_drain(void);

/// Sets whether Swift's tasks without an actor run in libdispatch's main queue instead of its thread pool.
void cglib_keep_tasks_on_main_queue(bool is_on);

/// Runs `body` in the main loop each time the descriptor is readable, or writable if `is_output`, until it returns 0; returns the
/// id of the source.
/// g_unix_fd_add is in <glib-unix.h>, and with GLib's headers in a second module, Swift would confuse the origin of
/// their types.
unsigned cglib_watch_descriptor(
    int descriptor, bool is_output, int (*_Nonnull body)(int descriptor, unsigned condition, void *_Nullable data), void *_Nullable data);

/// Lets the signals that ask a program to end (SIGHUP, SIGINT and SIGTERM) make a descriptor readable, once; returns that, or
/// -1 with errno set. A second one, or `seconds` after the first, ends the program at once, even if the main loop does not
/// answer. A signal that the program's parent has ignored, as nohup(1) does, stays ignored. Swift has no sig_atomic_t, and no
/// code of its runtime may run in a handler.
int cglib_watch_end_signals(unsigned seconds);

/// Creates a timer that becomes readable once after `milliseconds` (a timerfd of CLOCK_BOOTTIME), or returns -1 with
/// errno set. The caller closes it. Swift's Glibc module does not contain <sys/timerfd.h>.
int cglib_boot_timer(int64_t milliseconds);

/// Creates a timer that becomes readable at a time in milliseconds since 1970, or when the clock is set before (a timerfd of
/// CLOCK_REALTIME), or returns -1 with errno set. The caller closes it.
int cglib_wall_timer(int64_t milliseconds);

/// Runs `body` with `data` on a new detached thread of ordinary priority, even if the calling thread is a real-time
/// thread. Returns false, and runs nothing, if the system has no thread left. Swift assigns pthread_attr_t to the
/// module that includes it first, so it is not used in Swift.
bool cglib_start_thread(void *_Nullable (*_Nonnull body)(void *_Nullable), void *_Nullable data);

/// Names the calling thread for ps(1) and debuggers, with at most 15 bytes. Swift's Glibc module has no GNU extensions.
void cglib_name_thread(const char *_Nonnull name);

/// Creates a file that is only in memory and is closed when a program is executed, or returns -1 with errno set
/// (memfd_create(2)). The caller closes it. Swift's Glibc module has no GNU extensions.
int cglib_memory_file(const char *_Nonnull name);
