// SPDX-License-Identifier: GPL-3.0-or-later
// firstframe PROGRAM [ARGUMENT...]: starts a program and prints "PID MAPPED DRAWN": its process, and the milliseconds
// from just before the fork until its window is mapped, and until the first frame is drawn.
//
// The X server reports both, so that all programs are measured in the same way and need no changes. There must be no
// window manager, so that the window is a child of the root. The program is ended by a line on standard input, or when
// this process dies.

#include <X11/Xlib.h>
#include <X11/extensions/Xdamage.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LEAST_SIDE = 200, TIMEOUT_SECONDS = 60 };

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

// A window may be closed before it is queried.
static int ignore_error(Display *display, XErrorEvent *event)
{
    (void)display, (void)event;
    return 0;
}

static int is_large(Display *display, Window window)
{
    XWindowAttributes attributes;
    return XGetWindowAttributes(display, window, &attributes) && attributes.width >= LEAST_SIDE
        && attributes.height >= LEAST_SIDE;
}

int main(int argc, char **argv)
{
    Display *display = XOpenDisplay(NULL);
    int damage_event, damage_error;
    if (argc < 2 || !display || !XDamageQueryExtension(display, &damage_event, &damage_error)) {
        fprintf(stderr, "firstframe: needs a program, and a display with the damage extension\n");
        return 2;
    }
    XSetErrorHandler(ignore_error);
    XSelectInput(display, DefaultRootWindow(display), SubstructureNotifyMask);
    XSync(display, False);

    double start = milliseconds(), mapped = 0, drawn = 0;
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        // Keep the output of the measured program out of the numbers.
        dup2(STDERR_FILENO, STDOUT_FILENO);
        close(ConnectionNumber(display));
        execvp(argv[1], argv + 1);
        perror(argv[1]);
        _exit(127);
    }
    alarm(TIMEOUT_SECONDS);
    while (!drawn) {
        XEvent event;
        XNextEvent(display, &event);
        if (event.type == CreateNotify) {
            // Before it is mapped, so that the first frame is not missed.
            XDamageCreate(display, event.xcreatewindow.window, XDamageReportBoundingBox);
        } else if (event.type == MapNotify && !mapped && is_large(display, event.xmap.window)) {
            mapped = milliseconds();
        } else if (event.type == damage_event + XDamageNotify && mapped) {
            XDamageNotifyEvent *damage = (XDamageNotifyEvent *)&event;
            if (damage->area.width >= LEAST_SIDE && damage->area.height >= LEAST_SIDE)
                drawn = milliseconds();
            else
                XDamageSubtract(display, damage->damage, None, None);
        }
    }
    alarm(0);
    printf("%d %.2f %.2f\n", pid, mapped - start, drawn - start);
    fflush(stdout);
    getchar();
    kill(pid, SIGTERM);
    waitpid(pid, NULL, 0);
    return 0;
}
