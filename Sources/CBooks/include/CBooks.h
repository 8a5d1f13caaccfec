// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CBOOKS_EXPORT __attribute__((visibility("default")))

/// What a piece of a content line is, in the order in which they come.
enum {
  /// The group before the name; at most one.
  CBOOKS_GROUP,
  /// The name; one.
  CBOOKS_NAME,
  /// The name of a parameter.
  CBOOKS_PARAMETER,
  /// A value of the parameter that came last.
  CBOOKS_PARAMETER_VALUE,
  /// A value of the line, with its escapes undone; base64 as it stands.
  CBOOKS_VALUE,
  /// What the line's base64 says.
  CBOOKS_BYTES,
};

/// Takes a piece, which is there for the call only.
typedef void (*cbooks_piece_fn)(int kind, const char *bytes, size_t length, void *context);

/// Reads one content line of a vCard by libebook-contacts. Any thread may call it.
///
/// @param line  UTF-8 without NUL and line breaks: an unfolded line, without its end. Anything else is refused, since
///        the library reads past the end of some texts that end in an escape or a fold.
/// @param length  its bytes.
/// @param piece  is called for each piece of the line.
/// @return 1 if that is a content line; 0 if it is none, or refused.
CBOOKS_EXPORT int cbooks_read_line(const char *line, size_t length, cbooks_piece_fn piece, void *context);

/// What has happened in the desktop's address books.
enum {
  /// A contact is there, new or changed: its book, its id and its vCard.
  CBOOKS_PRESENT,
  /// A contact is gone: its book and its id.
  CBOOKS_GONE,
  /// A book is gone, or its service: its id.
  CBOOKS_BOOK_GONE,
  /// What was told since the last such event came together.
  CBOOKS_ROUND,
  /// A contact that was fetched: its vCard, or NULL where it cannot be had; the request is the last argument.
  CBOOKS_FETCHED,
};

/// Takes an event, on the thread that runs the books; the texts are there for the call only.
typedef void (*cbooks_event_fn)(
    int event, const char *book, const char *uid, const char *vcard, unsigned long request, void *context);

/// The desktop's address books.
typedef struct cbooks_desktop cbooks_desktop;

/// Prepares the books of the session bus; nothing is asked of it yet. Ended by cbooks_desktop_free.
CBOOKS_EXPORT cbooks_desktop *cbooks_desktop_new(cbooks_event_fn event, void *context);

/// Follows all enabled books until it is stopped. To be called once, on a thread of its own: what libebook asks of the
/// bus takes its time, and sleeps while nothing happens.
CBOOKS_EXPORT void cbooks_desktop_run(cbooks_desktop *desktop);

/// Has `run` return soon, now or when it is called. Any thread may call it.
CBOOKS_EXPORT void cbooks_desktop_stop(cbooks_desktop *desktop);

/// Fetches one contact with all that it has; CBOOKS_FETCHED answers, unless the books are stopped before. Any thread may
/// call it.
CBOOKS_EXPORT void cbooks_desktop_fetch(
    cbooks_desktop *desktop, const char *book, const char *uid, unsigned long request);

/// Frees the books, once `run` has returned, or where it was never called.
CBOOKS_EXPORT void cbooks_desktop_free(cbooks_desktop *desktop);

#ifdef __cplusplus
}
#endif
