// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/eventfd.h> // not in Swift's Glibc module

/// Keeps ALSA from printing its errors to standard error: they come back as results, and a phone without a sound card
/// is no reason to write eight lines at every press. Swift cannot do it: the handler that ALSA takes is variadic.
void caudio_silence_alsa(void);

/// Names the calling thread for ps(1) and debuggers, 15 bytes at most. Swift's Glibc has no GNU extensions.
void caudio_name_thread(const char *name);
