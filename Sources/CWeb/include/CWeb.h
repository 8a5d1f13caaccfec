// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CWEB_EXPORT __attribute__((visibility("default")))

/// The ends of a request.
enum {
  /// The server has responded; cweb_status has the status. A file with the status 200 is complete.
  CWEB_ANSWERED,
  /// The request was cancelled.
  CWEB_CANCELLED,
  /// The URL is invalid.
  CWEB_INVALID_ADDRESS,
  /// `may_connect` refused an address of the host.
  CWEB_FORBIDDEN,
  /// The server's certificate is not trusted.
  CWEB_UNTRUSTED,
  /// The server cannot be reached, the connection broke, or nothing was transferred for too long.
  CWEB_UNREACHABLE,
  /// The response is malformed, or encoded although no encoding was accepted.
  CWEB_INVALID_RESPONSE,
  /// The file is larger than the limit.
  CWEB_TOO_LARGE,
  /// The server sent less than it had stated.
  CWEB_INCOMPLETE,
  /// `write` refused the bytes of a file.
  CWEB_UNWRITABLE,
};

/// A connection to web servers for one transfer. One thread uses it; others may only cancel it.
typedef struct cweb_transfer cweb_transfer;

/// Returns whether a connection may be made to the address of a host: 4 or 16 bytes.
typedef int (*cweb_may_connect_fn)(const uint8_t *address, size_t length, void *context);

/// Receives the number of bytes transferred so far, and the size if the server states it, otherwise -1.
typedef void (*cweb_progress_fn)(int64_t count, int64_t size, void *context);

/// Receives the next bytes of a file; returns 0 to end the request.
typedef int (*cweb_write_fn)(const uint8_t *bytes, size_t count, void *context);

/// Creates a transfer. Free it with cweb_free.
///
/// `authorities` is a file with the certificates of the trusted authorities, or NULL for those of the system. `seconds`
/// is the greatest time without any data. The functions are called with `context` on the thread of the request.
CWEB_EXPORT cweb_transfer *cweb_new(
    const char *user_agent, const char *authorities, unsigned seconds, cweb_may_connect_fn may_connect,
    cweb_progress_fn progress, void *context);

/// Sends `size` bytes from the start of a file with PUT, and blocks until the server responds. `headers` are names, each
/// followed by its value, and NULL at the end. Any address may be connected to, and no redirect is followed.
CWEB_EXPORT int cweb_put(
    cweb_transfer *transfer, const char *url, const char *media_type, const char *const *headers, int file, int64_t size);

/// Requests a file, passes it to `write` with `context` unless the status differs from 200, and blocks until it is
/// complete. No redirect is followed: cweb_location has its target.
CWEB_EXPORT int cweb_get(cweb_transfer *transfer, const char *url, cweb_write_fn write, void *context, int64_t limit);

/// Requests the headers of a file alone. cweb_size has the size that the server states. No redirect is followed.
CWEB_EXPORT int cweb_head(cweb_transfer *transfer, const char *url);

/// Returns the HTTP status of the last response.
CWEB_EXPORT unsigned cweb_status(const cweb_transfer *transfer);

/// Returns the number of bytes of the file in the last response.
CWEB_EXPORT int64_t cweb_count(const cweb_transfer *transfer);

/// Returns the size of the file that the last response stated, in bytes; negative if it stated none.
CWEB_EXPORT int64_t cweb_size(const cweb_transfer *transfer);

/// Returns the target of a redirect as the server states it; NULL for none.
CWEB_EXPORT const char *cweb_location(const cweb_transfer *transfer);

/// Returns the media type that the server states; NULL for none.
CWEB_EXPORT const char *cweb_media_type(const cweb_transfer *transfer);

/// Cancels the current request, and all later ones. Thread-safe.
CWEB_EXPORT void cweb_cancel(cweb_transfer *transfer);

/// Frees a transfer.
CWEB_EXPORT void cweb_free(cweb_transfer *transfer);

#ifdef __cplusplus
}
#endif
