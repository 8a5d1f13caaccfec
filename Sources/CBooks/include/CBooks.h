// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#define CBOOKS_EXPORT __attribute__((visibility("default")))

/// The events of the desktop's address books.
enum {
  /// A contact was added or changed: its book, id and vCard.
  CBOOKS_PRESENT,
  /// A contact was removed: its book and id.
  CBOOKS_GONE,
  /// A book was removed, or its service ended: its id.
  CBOOKS_BOOK_GONE,
  /// The end of a batch: the events since the last one belong together.
  CBOOKS_ROUND,
  /// The result of a fetch: the vCard, or NULL if it is not available, and the request.
  CBOOKS_FETCHED,
};

/// Receives an event on the thread of cbooks_desktop_run. The texts are valid only during the call.
typedef void (*cbooks_event_fn)(
    int event, const char *book, const char *uid, const char *vcard, unsigned long request, void *context);

/// The desktop's address books.
typedef struct cbooks_desktop cbooks_desktop;

/// Creates a reader for the books on the session bus, without using the bus yet. Free it with cbooks_desktop_free.
CBOOKS_EXPORT cbooks_desktop *cbooks_desktop_new(cbooks_event_fn event, void *context);

/// Follows all enabled books until it is stopped. Call it once, on a separate thread: libebook blocks for the bus. It
/// sleeps while nothing happens.
CBOOKS_EXPORT void cbooks_desktop_run(cbooks_desktop *desktop);

/// Makes `run` return soon, even if it has not been called yet. Thread-safe.
CBOOKS_EXPORT void cbooks_desktop_stop(cbooks_desktop *desktop);

/// Fetches one contact with all its properties. CBOOKS_FETCHED reports the result, unless the reader is stopped first.
/// Thread-safe.
CBOOKS_EXPORT void cbooks_desktop_fetch(
    cbooks_desktop *desktop, const char *book, const char *uid, unsigned long request);

/// Frees the reader after `run` has returned, or if it was never called.
CBOOKS_EXPORT void cbooks_desktop_free(cbooks_desktop *desktop);

#ifdef __cplusplus
}
#endif
