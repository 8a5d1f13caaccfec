// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE
#include "CAudioShims.h"

#include <alsa/asoundlib.h>
#include <pthread.h>

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

void caudio_name_thread(const char *name)
{
    pthread_setname_np(pthread_self(), name);
}
