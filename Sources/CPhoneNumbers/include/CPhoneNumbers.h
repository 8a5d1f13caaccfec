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

/// Formats a complete number for dialling from a region.
///
/// Any thread may call it. No exception leaves it.
///
/// @param dialled  as for cphonenumbers_format.
/// @param region  two upper-case letters, the place of the line.
/// @param is_international  1 for `+` and the country's code; 0 for the digits dialled within the region, where a number
///                of another country keeps its `+` if what replaces it depends on the carrier.
/// @param text    receives the number without separators, ended by a NUL.
/// @param capacity  the bytes that `text` has room for, the NUL among them.
/// @return the length of the text without its NUL, or -1 when the number should stay as it is: it is a service, a number
///         within a town or none at all, or the form needs the code of a carrier or can't be dialled; also when the
///         arguments are refused, the room is too small or the library failed.
__attribute__((visibility("default")))
int cphonenumbers_outgoing(
    const char *dialled, const char *region, int is_international, char *text, size_t capacity);

/// Tells whether a number is exactly one of an emergency service.
///
/// Any thread may call it. No exception leaves it.
///
/// @param number  digits, up to the maximum length.
/// @param region  two upper-case letters, the place of the line.
/// @return 1 if it is, 0 if not, or -1 if an argument is invalid or the library failed.
__attribute__((visibility("default")))
int cphonenumbers_is_emergency(const char *number, const char *region);

/// The room for the text of cphonenumbers_regions, in bytes.
#define CPHONENUMBERS_REGIONS_ROOM 32768

/// Lists the regions whose numbers the library knows, in the alphabetical order of a language.
///
/// Any thread may call it. No exception leaves it.
///
/// @param language  a locale's name, such as `de_DE.UTF-8` or `pt-BR`; an empty name and an unknown language stand for English.
/// @param text    receives a line for each region, ended by a NUL: its code of two upper-case letters (ISO 3166-1), a
///                tab, its calling code, a tab, its name in UTF-8, and a newline.
/// @param capacity  the bytes that `text` has room for, the NUL among them.
/// @return the length of the text without its NUL, or -1 if an argument is invalid, `text` is too small or the library
///         failed.
__attribute__((visibility("default")))
int cphonenumbers_regions(const char *language, char *text, size_t capacity);

#ifdef __cplusplus
}
#endif
