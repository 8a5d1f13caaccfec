// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE
#include "CGtkShims.h"

#ifdef GDK_WINDOWING_X11
#include <gdk/gdkx.h>
#endif

#include <dlfcn.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

// libdispatch exports these for CoreFoundation's run loop, without a public header.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *);

int cgtk_main_queue_fd(void) { return _dispatch_get_main_queue_handle_4CF(); }

void cgtk_main_queue_drain(void) {
    // Reset the counter first, so that work that arrives while the queue runs makes the descriptor readable again. A
    // failed read only means that the counter was zero.
    uint64_t count;
    ssize_t got = read(_dispatch_get_main_queue_handle_4CF(), &count, sizeof count);
    (void)got;
    _dispatch_main_queue_callback_4CF(NULL);
}

// A hook of Swift's runtime, from its include/swift/Runtime/Concurrency.h.
typedef struct cgtk_job cgtk_job;
typedef __attribute__((swiftcall)) void cgtk_enqueue(cgtk_job *);
extern __attribute__((swiftcall)) void (*swift_task_enqueueGlobal_hook)(cgtk_job *, cgtk_enqueue *);
extern cgtk_enqueue swift_task_enqueueMainExecutor;

static __attribute__((swiftcall)) void enqueue_on_main(cgtk_job *job, cgtk_enqueue *original) {
    (void)original;
    swift_task_enqueueMainExecutor(job);
}

void cgtk_keep_tasks_on_main_queue(gboolean is_on) {
    swift_task_enqueueGlobal_hook = is_on ? enqueue_on_main : NULL;
}

int cgtk_boot_timer(gint64 milliseconds) {
    int timer = timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    if (timer < 0) return -1;
    // Zero would disarm the timer, also when an accelerated clock rounds it down.
    if (milliseconds < 1) milliseconds = 1;
    struct itimerspec time = {.it_value = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000}};
    if (timerfd_settime(timer, 0, &time, NULL) == 0) return timer;
    close(timer);
    return -1;
}

gboolean cgtk_instance_is_a(gconstpointer instance, GType type) {
    return G_TYPE_CHECK_INSTANCE_TYPE(instance, type);
}

void cgtk_widget_set_accessible(GtkWidget *widget, const char *name, const char *description) {
    AtkObject *accessible = gtk_widget_get_accessible(widget);
    if (name) atk_object_set_name(accessible, name);
    if (description) atk_object_set_description(accessible, description);
}

char *cgtk_settings_text(GtkSettings *settings, const char *property) {
    char *text = NULL;
    g_object_get(settings, property, &text, NULL);
    return text;
}

gboolean cgtk_settings_flag(GtkSettings *settings, const char *property) {
    gboolean flag = FALSE;
    g_object_get(settings, property, &flag, NULL);
    return flag;
}

void cgtk_settings_set_flag(GtkSettings *settings, const char *property, gboolean flag) {
    g_object_set(settings, property, flag, NULL);
}

void cgtk_settings_set_text(GtkSettings *settings, const char *property, const char *text) {
    g_object_set(settings, property, text, NULL);
}

gboolean cgtk_keys_down(GdkDisplay *display, guint8 *keys) {
#ifdef GDK_WINDOWING_X11
    // GDK has loaded libX11 if its display is an X display, so it need not be linked.
    typedef int query_keymap(Display *, char *);
    query_keymap *query = (query_keymap *)dlsym(RTLD_DEFAULT, "XQueryKeymap");
    if (!query || !GDK_IS_X11_DISPLAY(display)) return FALSE;
    query(GDK_DISPLAY_XDISPLAY(display), (char *)keys);
    return TRUE;
#else
    (void)display;
    (void)keys;
    return FALSE;
#endif
}
