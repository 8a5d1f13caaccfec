// SPDX-License-Identifier: GPL-3.0-or-later
// A user at the test screen: pointer and key events that the X server generates, as from real devices (XTEST).
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Moves the pointer to a position on the screen, in device pixels.
void cxtest_move(int x, int y);

/// Presses or releases a pointer button: 1 left, 2 middle, 3 right.
void cxtest_button(unsigned button, bool down);

/// Presses or releases the key that types a character without modifiers; returns false if there is none.
bool cxtest_key(uint32_t keysym, bool down);

/// Turns auto-repeat of held keys on or off. It is off by default.
void cxtest_set_auto_repeat(bool is_on);
