// SPDX-License-Identifier: GPL-3.0-or-later

// Any thread may call these functions, and no exception leaves them. Numbers are digits, and regions two
// upper-case letters. `text` has room for `capacity` bytes, with the NUL at its end; its length without that is returned,
// or -1 if an argument is invalid, the room is too small or the library failed.

#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The maximum length of a number in characters.
#define CPHONENUMBERS_LONGEST_NUMBER 40

/// Writes a number as libphonenumber's as-you-type formatter shows it; the region is that of a number without a leading `+`.
__attribute__((visibility("default")))
int cphonenumbers_format(const char *number, const char *region, char *text, size_t capacity);

/// Writes a complete number as it is dialled from a region, without separators: with `+` and the country's code, or as within
/// the region, where a number of another country keeps its `+` if what replaces it depends on the carrier.
///
/// Returns -1 also for a number that stays as it is: a service, a number within a town or none at all, or one whose form needs
/// the code of a carrier or can't be dialled.
__attribute__((visibility("default")))
int cphonenumbers_outgoing(
    const char *dialled, const char *region, int is_international, char *text, size_t capacity);

/// Returns 1 if a number is exactly one of an emergency service of a region, 0 if not.
__attribute__((visibility("default")))
int cphonenumbers_is_emergency(const char *number, const char *region);

/// Writes the version of libphonenumber, on which its knowledge of numbering plans depends, such as `8.13`.
__attribute__((visibility("default")))
int cphonenumbers_version(char *text, size_t capacity);

/// The room for the text of cphonenumbers_regions, in bytes.
#define CPHONENUMBERS_REGIONS_ROOM 32768

/// Writes a line for each region whose numbers the library knows, in the alphabetical order of a language: its code (ISO
/// 3166-1), a tab, its calling code, a tab, its name in UTF-8, and a newline.
///
/// The language is a locale's name, such as `de_DE.UTF-8` or `pt-BR`; an empty name and an unknown language stand for English.
__attribute__((visibility("default")))
int cphonenumbers_regions(const char *language, char *text, size_t capacity);

#ifdef __cplusplus
}
#endif
