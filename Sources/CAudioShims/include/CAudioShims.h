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

/// The beginning of what libpulse says of a sink (pa_sink_info) and of a source (pa_source_info), up to what the phone reads. It is part
/// of libpulse's interface, and the same for both; libpulse's headers are in a package that nothing else needs.
typedef struct {
    const char *name;
    uint32_t index;
    const char *description;
    struct { int format; uint32_t rate; uint8_t channels; } sample_spec;
    struct { uint8_t channels; int map[32]; } channel_map;
    uint32_t owner_module;
    struct { uint8_t channels; uint32_t values[32]; } volume;
    int mute;
    /// A source that is the monitor of a sink has that sink's index, and any other source UINT32_MAX.
    uint32_t monitor;
    const char *monitor_name;
    uint64_t latency;
    const char *driver;
    int flags;
    void *properties;
} caudio_pulse_device;
