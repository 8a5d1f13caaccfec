// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/eventfd.h> // not in Swift's Glibc module

/// Keeps ALSA from printing its errors to standard error: they come back as results, and a phone without a sound card
/// is no reason to write eight lines at every press. Swift cannot do it: the handler that ALSA takes is variadic.
void caudio_silence_alsa(void);

/// Names the calling thread for ps(1) and debuggers, 15 bytes at most. Swift's Glibc has no GNU extensions.
void caudio_name_thread(const char *name);

/// The kernel's number of the calling thread, by which other processes name it. syscall(2) is variadic.
int32_t caudio_thread_id(void);

/// Lowers RLIMIT_RTTIME to at most that many microseconds, which cannot be undone: a real-time thread that runs for so
/// long without a pause ends the process. RealtimeKit asks for it. Swift's Glibc has no RLIMIT_RTTIME.
bool caudio_limit_real_time(int64_t microseconds);
