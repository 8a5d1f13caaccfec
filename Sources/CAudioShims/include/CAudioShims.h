// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/eventfd.h> // missing in Swift's Glibc module

/// Stops ALSA from printing errors to standard error. It also returns them, and would print eight lines at each key
/// press on a machine without a sound card. Swift cannot define the handler, which is variadic.
void caudio_silence_alsa(void);

/// Returns the kernel's identifier of the calling thread, which other processes use. syscall(2) is variadic.
int32_t caudio_thread_id(void);

/// Lowers RLIMIT_RTTIME to at most this many microseconds, as RealtimeKit requires. This cannot be undone: a real-time
/// thread that runs longer without blocking ends the process. Swift's Glibc has no RLIMIT_RTTIME.
bool caudio_limit_real_time(int64_t microseconds);
