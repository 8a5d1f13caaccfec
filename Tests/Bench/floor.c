// SPDX-License-Identifier: GPL-3.0-or-later
// floor: the latency of a tone through bare ALSA. A line "down" on standard input starts the tone, "up" ends it.
//
// The device is open and prepared with the periods of the engine; "down" fills its buffer and starts it. There is no
// queue, thread or window: any longer latency is added by the phone. Prints "real-time PERIODS" or "ordinary PERIODS"
// when it is ready.

#include <alsa/asoundlib.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

enum { RATE = 48000, FADE = RATE / 400, LONGEST = 8192 };

static snd_pcm_t *pcm;
static snd_pcm_uframes_t period, buffer;
static double phase, gain, step; // of the fade
static long sound_end, written;

static void check(const char *what, int result)
{
    if (result >= 0) return;
    fprintf(stderr, "floor: %s: %s\n", what, snd_strerror(result));
    _exit(1);
}

static void open_device(unsigned period_time, unsigned periods)
{
    snd_pcm_hw_params_t *hardware;
    snd_pcm_sw_params_t *software;
    snd_pcm_hw_params_alloca(&hardware);
    snd_pcm_sw_params_alloca(&software);
    check("open", snd_pcm_open(&pcm, "default", SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK));
    snd_pcm_hw_params_any(pcm, hardware);
    check("access", snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED));
    check("format", snd_pcm_hw_params_set_format(pcm, hardware, SND_PCM_FORMAT_S16));
    check("channels", snd_pcm_hw_params_set_channels(pcm, hardware, 1));
    check("rate", snd_pcm_hw_params_set_rate(pcm, hardware, RATE, 0));
    check("period", snd_pcm_hw_params_set_period_time_near(pcm, hardware, &period_time, NULL));
    check("periods", snd_pcm_hw_params_set_periods_near(pcm, hardware, &periods, NULL));
    check("hardware", snd_pcm_hw_params(pcm, hardware));
    check("sizes", snd_pcm_get_params(pcm, &buffer, &period));
    snd_pcm_sw_params_current(pcm, software);
    snd_pcm_sw_params_set_start_threshold(pcm, software, buffer + 1);
    snd_pcm_sw_params_set_avail_min(pcm, software, period);
    check("software", snd_pcm_sw_params(pcm, software));
    check("prepare", snd_pcm_prepare(pcm));
}

static void start(void);

static void fill(void)
{
    static short samples[LONGEST];
    snd_pcm_sframes_t room = snd_pcm_avail_update(pcm);
    if (room == -EPIPE) { // an underrun, which can happen to any program on a busy machine
        check("prepare again", snd_pcm_prepare(pcm));
        start();
        return;
    }
    check("room", room);
    if (room > LONGEST) room = LONGEST;
    for (int i = 0; i < room; i++) {
        gain = fmin(1, fmax(0, gain + step));
        samples[i] = lrint(gain * 4000 * (sin(phase * 770) + sin(phase * 1336)));
        phase += 2 * M_PI / RATE;
        if (gain > 0) sound_end = written + i + 1;
    }
    if (room > 0) snd_pcm_writei(pcm, samples, room); // the next query of the free space reports an underrun
    written += room;
}

static void start(void)
{
    written = sound_end = 0;
    fill();
    check("start", snd_pcm_start(pcm));
}

int main(void)
{
    struct sched_param priority = { .sched_priority = 10 };
    int is_real_time = sched_setscheduler(0, SCHED_FIFO, &priority) == 0, is_running = 0;
    char command[64];
    open_device(is_real_time ? 5000 : 10000, is_real_time ? 4 : 3);
    printf("%s %g ms × %d\n", is_real_time ? "real-time" : "ordinary", period * 1e3 / RATE, (int)(buffer / period));
    fflush(stdout);
    for (;;) {
        struct pollfd descriptors[16] = { { .fd = STDIN_FILENO, .events = POLLIN } };
        int count = is_running ? snd_pcm_poll_descriptors(pcm, descriptors + 1, 15) : 0;
        poll(descriptors, 1 + count, -1);
        unsigned short events;
        if (is_running) snd_pcm_poll_descriptors_revents(pcm, descriptors + 1, count, &events);
        if (descriptors[0].revents) {
            ssize_t length = read(STDIN_FILENO, command, sizeof command);
            if (length <= 0) return 0;
            step = (command[0] == 'd' ? 1.0 : -1.0) / FADE;
            if (command[0] == 'd' && !is_running) {
                phase = gain = 0;
                start();
                is_running = 1;
                continue;
            }
        }
        if (!is_running) continue;
        fill();
        if (step > 0 || gain > 0 || written - sound_end < (long)buffer + 2 * (long)period) continue;
        check("drop", snd_pcm_drop(pcm));
        check("prepare", snd_pcm_prepare(pcm));
        is_running = 0;
    }
}
