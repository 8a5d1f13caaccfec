// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The longest number that is formatted, in characters.
#define CPHONENUMBERS_LONGEST_NUMBER 40

/// Formats a number as libphonenumber shows it while it is typed.
///
/// Any thread may call it; calls wait for one another. No exception leaves it.
///
/// @param number  digits with an optional leading `+`; anything else, or more than the longest, is refused.
/// @param region  two upper-case letters, the numbering plan of a number without `+`.
/// @param text    receives the formatted number, ended by a NUL.
/// @param capacity  the bytes that `text` has room for, the NUL among them.
/// @return the length of the text without its NUL, or -1 when there is no text: the arguments are refused, the
///         room is too small or the library failed.
__attribute__((visibility("default")))
int cphonenumbers_format(const char *number, const char *region, char *text, size_t capacity);

#ifdef __cplusplus
}
#endif
