// SPDX-License-Identifier: GPL-3.0-or-later
#include "CXTest.h"

#include <X11/Xlib.h>
#include <X11/extensions/XTest.h>

// A separate connection, as of another program, so that GTK gets the events from the server.
static Display *screen(void) {
    static Display *display;
    if (display) return display;
    display = XOpenDisplay(NULL);
    // On a busy machine, any key press could turn into a held key.
    if (display) XAutoRepeatOff(display);
    return display;
}

void cxtest_set_auto_repeat(bool is_on) {
    (is_on ? XAutoRepeatOn : XAutoRepeatOff)(screen());
    XSync(screen(), False);
}

void cxtest_move(int x, int y) {
    XTestFakeMotionEvent(screen(), -1, x, y, CurrentTime);
    XSync(screen(), False);
}

void cxtest_button(unsigned button, bool down) {
    XTestFakeButtonEvent(screen(), button, down, CurrentTime);
    XSync(screen(), False);
}

bool cxtest_key(uint32_t keysym, bool down) {
    KeyCode code = XKeysymToKeycode(screen(), keysym);
    if (!code) return false;
    XTestFakeKeyEvent(screen(), code, down, CurrentTime);
    XSync(screen(), False);
    return true;
}
