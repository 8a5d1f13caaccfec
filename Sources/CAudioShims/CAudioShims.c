// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE
#include "CAudioShims.h"

#include <alsa/asoundlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static void discard(const char *file, int line, const char *function, int error, const char *format, ...)
{
    (void)file;
    (void)line;
    (void)function;
    (void)error;
    (void)format;
}

void caudio_silence_alsa(void)
{
    snd_lib_error_set_handler(discard);
}

int32_t caudio_thread_id(void)
{
    return (int32_t)syscall(SYS_gettid);
}

bool caudio_limit_real_time(int64_t microseconds)
{
    struct rlimit limit;
    if (microseconds <= 0 || getrlimit(RLIMIT_RTTIME, &limit) != 0)
        return false;
    rlim_t wanted = (rlim_t)microseconds;
    if (limit.rlim_max > wanted)
        limit.rlim_max = wanted;
    if (limit.rlim_cur > limit.rlim_max)
        limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_RTTIME, &limit) == 0;
}
