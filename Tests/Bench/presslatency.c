// SPDX-License-Identifier: GPL-3.0-or-later
// presslatency SOURCE: makes presses, and detects at the PulseAudio source when each sounds. Lines of standard input:
//
//     button X Y                    press pointer button 1 there (XTEST)
//     key NAME                      press a key, by keysym name (XTEST)
//     write FD PRESS RELEASE        write a word and a line break to a descriptor; "-" writes nothing
//     rest X Y                      move the pointer there without a press
//     type NAME                     press and release a key, by keysym name, without listening
//     press N HOLD HOLD GAP GAP     N presses, each held for HOLD to HOLD ms, GAP to GAP ms after the last release
//
// For each press, it prints "ONSET SILENCE" in milliseconds: from just before the press to the first audible sample,
// and from just before the release to the last one; "-1 -1" for a press that was not heard.
//
// It both presses and listens, so that there is only one clock. The time of a sample is when this process received it:
// the latency of the server's sink, which renders every 2 ms for such a client, is not subtracted. Presses come at
// random times, so that they are not in phase with those 2 ms.

#include <X11/Xlib.h>
#include <X11/extensions/XTest.h>
#include <pthread.h>
#include <pulse/simple.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    RATE = 48000,
    PIECE = 24,             // frames per read: as they arrive, and no more than have arrived
    FRAGMENT = RATE / 500,  // requested from the server: 2 ms
    NOISE = 2,              // of 32767; the silence of the null sink is 0
    APART = RATE / 50,      // frames of silence that end a sound: 20 ms, longer than any silence in a beat of tones
    PATIENCE = 1500,        // ms until a press counts as not heard
};

// The listener's state: when the last sound began and ended, in nanoseconds, and the length of the silence, in frames.
static _Atomic long long began, ended;
static _Atomic long quiet = APART;
static _Atomic int is_listening;

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void sleep_until(long long moment)
{
    struct timespec time = { moment / 1000000000, moment % 1000000000 };
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) != 0)
        ;
}

static void sleep_for(double milliseconds) { sleep_until(now() + (long long)(milliseconds * 1e6)); }

static double between(double least, double most) { return least + (most - least) * drand48(); }

static void *listen_on(void *source)
{
    pa_sample_spec format = { PA_SAMPLE_S16LE, RATE, 1 };
    pa_buffer_attr attributes = { .maxlength = -1, .fragsize = FRAGMENT * sizeof(int16_t) };
    pa_simple *stream =
        pa_simple_new(NULL, "presslatency", PA_STREAM_RECORD, source, "bench", &format, NULL, &attributes, NULL);
    int16_t samples[PIECE];
    if (!stream) {
        fprintf(stderr, "presslatency: no source named %s\n", (char *)source);
        exit(2);
    }
    long silence = APART;
    while (pa_simple_read(stream, samples, sizeof samples, NULL) >= 0) {
        long long moment = now();
        for (int i = 0; i < PIECE; i++) {
            if (abs(samples[i]) <= NOISE) {
                silence++;
                continue;
            }
            if (silence >= APART) atomic_store(&began, moment);
            atomic_store(&ended, moment);
            silence = 0;
        }
        atomic_store(&quiet, silence);
        atomic_store(&is_listening, 1);
    }
    fprintf(stderr, "presslatency: the sound server has gone\n");
    exit(2);
}

static Display *screen;
static struct {
    enum { BUTTON, KEY, WRITE } kind;
    KeyCode code;
    int descriptor;
    char press[64], release[64];
} trigger;

static void put(int down)
{
    if (trigger.kind == BUTTON) {
        XTestFakeButtonEvent(screen, 1, down, CurrentTime);
        XFlush(screen);
    } else if (trigger.kind == KEY) {
        XTestFakeKeyEvent(screen, trigger.code, down, CurrentTime);
        XFlush(screen);
    } else {
        char line[66];
        const char *word = down ? trigger.press : trigger.release;
        int length = snprintf(line, sizeof line, "%s\n", word);
        if (strcmp(word, "-") != 0 && write(trigger.descriptor, line, length) != length) exit(3);
    }
}

static void wait_quiet(long frames)
{
    for (int i = 0; i < 3000 && atomic_load(&quiet) < frames; i++) sleep_for(1);
}

// The time of the last release.
static long long released;

static void press_once(double hold)
{
    wait_quiet(APART);
    long long pressed = now();
    put(1);
    sleep_until(pressed + (long long)(hold * 1e6));
    released = now();
    put(0);
    // Wait until the sound was heard and has ended: a slow program may not have started it yet.
    while (now() < pressed + PATIENCE * 1000000LL
           && (atomic_load(&began) < pressed || atomic_load(&quiet) < 2 * APART))
        sleep_for(1);
    if (atomic_load(&began) < pressed)
        printf("-1 -1\n");
    else
        printf("%.3f %.3f\n", (atomic_load(&began) - pressed) / 1e6, (atomic_load(&ended) - released) / 1e6);
    fflush(stdout);
}

static void obey(const char *line)
{
    int x, y, count;
    char name[64];
    double hold[2], gap[2];
    if (sscanf(line, "button %d %d", &x, &y) == 2 || sscanf(line, "rest %d %d", &x, &y) == 2) {
        trigger.kind = BUTTON;
        XTestFakeMotionEvent(screen, -1, x, y, CurrentTime);
        XSync(screen, False);
    } else if (sscanf(line, "type %63s", name) == 1) {
        KeyCode code = XKeysymToKeycode(screen, XStringToKeysym(name));
        XTestFakeKeyEvent(screen, code, 1, CurrentTime);
        XTestFakeKeyEvent(screen, code, 0, CurrentTime);
        XSync(screen, False);
        printf("typed\n");
        fflush(stdout);
    } else if (sscanf(line, "key %63s", name) == 1) {
        trigger.kind = KEY;
        trigger.code = XKeysymToKeycode(screen, XStringToKeysym(name));
    } else if (sscanf(line, "write %d %63s %63s", &trigger.descriptor, trigger.press, trigger.release) == 3) {
        trigger.kind = WRITE;
    } else if (sscanf(line, "press %d %lf %lf %lf %lf", &count, &hold[0], &hold[1], &gap[0], &gap[1]) == 5) {
        for (int i = 0; i < count; i++) {
            if (i > 0) sleep_until(released + (long long)(between(gap[0], gap[1]) * 1e6));
            press_once(between(hold[0], hold[1]));
        }
    } else {
        fprintf(stderr, "presslatency: what is “%s”?\n", line);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    char line[256];
    pthread_t listener;
    // Use a real-time priority, if permitted, to measure the latency of the programs and not its own.
    struct sched_param before_all = { .sched_priority = 20 };
    int is_real_time = sched_setscheduler(0, SCHED_FIFO, &before_all) == 0;
    if (argc != 2 || !(screen = XOpenDisplay(NULL))) {
        fprintf(stderr, "presslatency: needs a source, and a display\n");
        return 2;
    }
    srand48(now());
    if (pthread_create(&listener, NULL, listen_on, argv[1]) != 0) return 2;
    while (!atomic_load(&is_listening)) sleep_for(1);
    printf("%s\n", is_real_time ? "real-time" : "ordinary");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        obey(line);
    }
    return 0;
}
