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
