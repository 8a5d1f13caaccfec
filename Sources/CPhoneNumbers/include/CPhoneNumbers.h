// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The maximum length of a number in characters.
#define CPHONENUMBERS_LONGEST_NUMBER 40

/// Formats a number with libphonenumber's as-you-type formatter.
///
/// It is thread-safe, serializes calls, and throws no exceptions.
///
/// @param number  digits with an optional leading `+`, up to the maximum length.
/// @param region  two upper-case letters: the region of a number without `+`.
/// @param text    receives the formatted number, NUL-terminated.
/// @param capacity  the size of `text` in bytes, including the NUL.
/// @return the length of the text without the NUL, or -1 if an argument is invalid, `text` is too small or the library
///         failed.
__attribute__((visibility("default")))
int cphonenumbers_format(const char *number, const char *region, char *text, size_t capacity);

/// The numbering plan of a region.
///
/// Any thread may call it. No exception leaves it.
///
/// @param region  two upper-case letters.
/// @param numbers  receives the country's code, and how many digits a number within the country has at least, without
///                what stands before it: any number, and an ordinary one.
/// @param trunk   receives the digits before a number within the country; empty for none.
/// @param international  receives the digits before other countries' codes; empty where they depend on the carrier.
/// @param capacity  the bytes that each of the two has room for, the NUL among them.
/// @return 0, or -1 where there is no such region, the room is too small or the library failed.
__attribute__((visibility("default")))
int cphonenumbers_plan(const char *region, int numbers[3], char *trunk, char *international, size_t capacity);

#ifdef __cplusplus
}
#endif
