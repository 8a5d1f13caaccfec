// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE
#include "CGLibShims.h"

#include <glib-unix.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <unistd.h>

// Exported by libdispatch for CoreFoundation's run loop, and declared in no public header.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *);

int cglib_main_queue_fd(void) { return _dispatch_get_main_queue_handle_4CF(); }

void cglib_main_queue_drain(void) {
    // Reset the counter first: work that arrives while the queue runs makes the descriptor readable again. If reading
    // fails, the counter was 0, which is not an error.
    uint64_t count;
    ssize_t got = read(_dispatch_get_main_queue_handle_4CF(), &count, sizeof count);
    (void)got;
    _dispatch_main_queue_callback_4CF(NULL);
}

// Swift's runtime allows a program to replace this function; see its include/swift/Runtime/Concurrency.h.
typedef struct cglib_job cglib_job;
typedef __attribute__((swiftcall)) void cglib_enqueue(cglib_job *);
extern __attribute__((swiftcall)) void (*swift_task_enqueueGlobal_hook)(cglib_job *, cglib_enqueue *);
extern cglib_enqueue swift_task_enqueueMainExecutor;

static __attribute__((swiftcall)) void enqueue_on_main(cglib_job *job, cglib_enqueue *original) {
    (void)original;
    swift_task_enqueueMainExecutor(job);
}

void cglib_keep_tasks_on_main_queue(bool is_on) {
    swift_task_enqueueGlobal_hook = is_on ? enqueue_on_main : NULL;
}

unsigned cglib_watch_descriptor(int descriptor, bool is_output, int (*body)(int, unsigned, void *), void *data) {
    return g_unix_fd_add(descriptor, is_output ? G_IO_OUT : G_IO_IN, body, data);
}

int cglib_boot_timer(int64_t milliseconds) {
    int timer = timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    if (timer < 0) return -1;
    // A value of 0 would disarm the timer, and a clock that runs fast can reduce a duration to 0.
    if (milliseconds < 1) milliseconds = 1;
    struct itimerspec time = {.it_value = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000}};
    if (timerfd_settime(timer, 0, &time, NULL) == 0) return timer;
    close(timer);
    return -1;
}

int cglib_wall_timer(int64_t milliseconds) {
    int timer = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    if (timer < 0) return -1;
    // A value of 0 would disarm the timer.
    if (milliseconds < 1) milliseconds = 1;
    struct itimerspec time = {.it_value = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000}};
    if (timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &time, NULL) == 0) return timer;
    close(timer);
    return -1;
}

bool cglib_start_thread(void *(*body)(void *), void *data) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
    struct sched_param priority = {0};
    pthread_attr_setschedparam(&attributes, &priority);
    pthread_t thread;
    int result = pthread_create(&thread, &attributes, body, data);
    pthread_attr_destroy(&attributes);
    return result == 0;
}

void cglib_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int cglib_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }
