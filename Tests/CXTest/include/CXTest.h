// SPDX-License-Identifier: GPL-3.0-or-later
// A person at the test screen: pointer and key events that the X server makes, as from real devices (XTEST).
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Moves the pointer to a place of the screen, in device pixels.
void cxtest_move(int x, int y);

/// Puts a button of the pointer down or lets it up: 1 left, 2 middle, 3 right.
void cxtest_button(unsigned button, bool down);

/// Puts a key of the keyboard down or lets it up, by what it types with no modifier held; false where no key does.
bool cxtest_key(uint32_t keysym, bool down);

/// Has the server repeat a key that is held from then on, or not; it does not unless told so.
void cxtest_set_auto_repeat(bool is_on);
