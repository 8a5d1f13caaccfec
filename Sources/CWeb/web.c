// SPDX-License-Identifier: GPL-3.0-or-later

// HTTP through libsoup, on the caller's thread.

#include "CWeb.h"

#include <gio/gunixinputstream.h>
#include <libsoup/soup.h>
#include <string.h>
#include <unistd.h>

struct cweb_transfer {
  char *user_agent, *authorities;
  unsigned seconds;
  cweb_may_connect_fn may_connect;
  cweb_progress_fn progress;
  void *context;
  GCancellable *cancellable;
  unsigned status;
  int64_t count, size;
  char *location, *media_type;
};

// One request, with its own session: no connection, cookie or credential outlives it.
typedef struct {
  cweb_transfer *transfer;
  GMainContext *loop;
  SoupSession *session;
  SoupMessage *message;
  GCancellable *cancellable;
  gulong link;
  gboolean checks_addresses, is_forbidden, is_malformed;
  unsigned informational;
} Request;

// A server that keeps responding with 1xx would never come to the end.
static const unsigned maximum_informational = 16;

static void cancel_request(GCancellable *cancellable, gpointer data) {
  (void)cancellable;
  g_cancellable_cancel(data);
}

// Called before the connection to each address of the host, so that nothing is sent to a forbidden one, whatever DNS
// said earlier. Behind a proxy, the address is the proxy's.
static void on_network_event(SoupMessage *message, GSocketClientEvent event, GIOStream *stream, gpointer data) {
  Request *request = data;
  (void)message;
  // libsoup would take a body without a length as complete when somebody on the way ends the connection.
  if (event == G_SOCKET_CLIENT_TLS_HANDSHAKING)
    g_tls_connection_set_require_close_notify(G_TLS_CONNECTION(stream), TRUE);
  if (event != G_SOCKET_CLIENT_CONNECTING || !request->checks_addresses) return;
  GSocketConnection *connection = G_SOCKET_CONNECTION(stream);
  GSocketAddress *address = g_socket_connection_get_remote_address(connection, NULL);
  gboolean is_allowed = FALSE;
  if (G_IS_PROXY_ADDRESS(address)) {
    is_allowed = TRUE;
  } else if (G_IS_INET_SOCKET_ADDRESS(address)) {
    GInetAddress *host = g_inet_socket_address_get_address(G_INET_SOCKET_ADDRESS(address));
    is_allowed = request->transfer->may_connect(
        g_inet_address_to_bytes(host), g_inet_address_get_native_size(host), request->transfer->context);
  }
  g_clear_object(&address);
  if (is_allowed) return;
  request->is_forbidden = TRUE;
  // Cancelling alone would be noticed only after the first packet.
  g_socket_close(g_socket_connection_get_socket(connection), NULL);
  g_cancellable_cancel(request->cancellable);
}

static void on_informational(SoupMessage *message, gpointer data) {
  Request *request = data;
  (void)message;
  if (++request->informational <= maximum_informational) return;
  request->is_malformed = TRUE;
  g_cancellable_cancel(request->cancellable);
}

static void on_wrote(SoupMessage *message, guint bytes, gpointer data) {
  Request *request = data;
  (void)message;
  request->transfer->count += bytes;
  request->transfer->progress(request->transfer->count, request->transfer->size, request->transfer->context);
}

static int result_of(const Request *request, const GError *error) {
  if (g_cancellable_is_cancelled(request->transfer->cancellable)) return CWEB_CANCELLED;
  if (request->is_forbidden) return CWEB_FORBIDDEN;
  if (request->is_malformed) return CWEB_INVALID_RESPONSE;
  if (g_error_matches(error, G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE)) return CWEB_UNTRUSTED;
  // libsoup reports headers that are too long as incomplete, too.
  if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT))
    return request->transfer->status ? CWEB_INCOMPLETE : CWEB_INVALID_RESPONSE;
  if (g_error_matches(error, SOUP_SESSION_ERROR, SOUP_SESSION_ERROR_PARSING)
      || g_error_matches(error, SOUP_SESSION_ERROR, SOUP_SESSION_ERROR_ENCODING))
    return CWEB_INVALID_RESPONSE;
  return CWEB_UNREACHABLE;
}

static void forget_response(cweb_transfer *transfer) {
  transfer->status = 0;
  transfer->count = 0;
  transfer->size = -1;
  g_clear_pointer(&transfer->location, g_free);
  g_clear_pointer(&transfer->media_type, g_free);
}

// Creates the session and the message. Returns FALSE if the URL or the file of authorities is invalid.
static gboolean begin(Request *request, const char *method, const char *url) {
  cweb_transfer *transfer = request->transfer;
  forget_response(transfer);
  request->message = soup_message_new(method, url);
  if (!request->message) return FALSE;
  soup_message_add_flags(request->message, SOUP_MESSAGE_NO_REDIRECT);
  // The session's own sources must not run on the main thread.
  request->loop = g_main_context_new();
  g_main_context_push_thread_default(request->loop);
  request->session =
      soup_session_new_with_options("user-agent", transfer->user_agent, "timeout", transfer->seconds, NULL);
  // Compressed data could grow without bounds, and there is nobody to ask for a password.
  soup_session_remove_feature_by_type(request->session, SOUP_TYPE_CONTENT_DECODER);
  soup_session_remove_feature_by_type(request->session, SOUP_TYPE_AUTH_MANAGER);
  if (transfer->authorities) {
    GTlsDatabase *database = g_tls_file_database_new(transfer->authorities, NULL);
    if (!database) return FALSE;
    soup_session_set_tls_database(request->session, database);
    g_object_unref(database);
  }
  request->cancellable = g_cancellable_new();
  request->link =
      g_cancellable_connect(transfer->cancellable, G_CALLBACK(cancel_request), request->cancellable, NULL);
  g_signal_connect(request->message, "network-event", G_CALLBACK(on_network_event), request);
  g_signal_connect(request->message, "got-informational", G_CALLBACK(on_informational), request);
  return TRUE;
}

// Sends the message, and returns the body of the response; NULL with an error if there is none.
static GInputStream *send_request(Request *request, GError **error) {
  cweb_transfer *transfer = request->transfer;
  GInputStream *body = soup_session_send(request->session, request->message, request->cancellable, error);
  if (!body) return NULL;
  SoupMessageHeaders *headers = soup_message_get_response_headers(request->message);
  transfer->status = soup_message_get_status(request->message);
  transfer->location = g_strdup(soup_message_headers_get_one(headers, "Location"));
  transfer->media_type = g_strdup(soup_message_headers_get_content_type(headers, NULL));
  return body;
}

// Ends the connection. The rest of a body that was not read is dropped.
static void end(Request *request, GInputStream *body) {
  if (request->link) g_cancellable_disconnect(request->transfer->cancellable, request->link);
  if (request->cancellable) g_cancellable_cancel(request->cancellable);
  if (body) g_input_stream_close(body, request->cancellable, NULL);
  g_clear_object(&body);
  if (request->session) soup_session_abort(request->session);
  g_clear_object(&request->message);
  g_clear_object(&request->session);
  g_clear_object(&request->cancellable);
  if (request->loop) {
    while (g_main_context_iteration(request->loop, FALSE)) continue;
    g_main_context_pop_thread_default(request->loop);
    g_main_context_unref(request->loop);
  }
}

int cweb_put(
    cweb_transfer *transfer, const char *url, const char *media_type, const char *const *headers, int file, int64_t size) {
  Request request = {.transfer = transfer};
  GError *error = NULL;
  GInputStream *body = NULL;
  int result = CWEB_INVALID_ADDRESS;
  if (begin(&request, "PUT", url)) {
    for (const char *const *header = headers; *header; header += 2)
      soup_message_headers_append(soup_message_get_request_headers(request.message), header[0], header[1]);
    transfer->size = size;
    lseek(file, 0, SEEK_SET);
    GInputStream *content = g_unix_input_stream_new(file, FALSE);
    soup_message_set_request_body(request.message, media_type, content, size);
    g_object_unref(content);
    g_signal_connect(request.message, "wrote-body-data", G_CALLBACK(on_wrote), &request);
    body = send_request(&request, &error);
    result = body ? CWEB_ANSWERED : result_of(&request, error);
  }
  end(&request, body);
  g_clear_error(&error);
  return result;
}

// Passes the body on, within the limit.
static int receive(Request *request, GInputStream *body, cweb_write_fn write, void *context, int64_t limit) {
  cweb_transfer *transfer = request->transfer;
  SoupMessageHeaders *headers = soup_message_get_response_headers(request->message);
  const char *encoding = soup_message_headers_get_list(headers, "Content-Encoding");
  if (encoding && g_ascii_strcasecmp(encoding, "identity") != 0) return CWEB_INVALID_RESPONSE;
  if (soup_message_headers_get_encoding(headers) == SOUP_ENCODING_CONTENT_LENGTH)
    transfer->size = soup_message_headers_get_content_length(headers);
  if (transfer->size > limit) return CWEB_TOO_LARGE;
  char bytes[1 << 16];
  while (TRUE) {
    GError *error = NULL;
    const gssize count = g_input_stream_read(body, bytes, sizeof bytes, request->cancellable, &error);
    if (count < 0) {
      const int result = result_of(request, error);
      g_error_free(error);
      return result;
    }
    if (count == 0) break;
    if (count > limit - transfer->count) return CWEB_TOO_LARGE;
    if (!write((const uint8_t *)bytes, (size_t)count, context)) return CWEB_UNWRITABLE;
    transfer->count += count;
    transfer->progress(transfer->count, transfer->size, transfer->context);
  }
  return transfer->size >= 0 && transfer->count != transfer->size ? CWEB_INCOMPLETE : CWEB_ANSWERED;
}

int cweb_get(cweb_transfer *transfer, const char *url, cweb_write_fn write, void *context, int64_t limit) {
  Request request = {.transfer = transfer, .checks_addresses = TRUE};
  GError *error = NULL;
  GInputStream *body = NULL;
  int result = CWEB_INVALID_ADDRESS;
  if (begin(&request, "GET", url)) {
    soup_message_headers_append(
        soup_message_get_request_headers(request.message), "Accept-Encoding", "identity");
    body = send_request(&request, &error);
    if (!body)
      result = result_of(&request, error);
    else
      result = transfer->status == SOUP_STATUS_OK ? receive(&request, body, write, context, limit) : CWEB_ANSWERED;
  }
  end(&request, body);
  g_clear_error(&error);
  return result;
}

int cweb_head(cweb_transfer *transfer, const char *url) {
  Request request = {.transfer = transfer, .checks_addresses = TRUE};
  GError *error = NULL;
  GInputStream *body = NULL;
  int result = CWEB_INVALID_ADDRESS;
  if (begin(&request, "HEAD", url)) {
    soup_message_headers_append(
        soup_message_get_request_headers(request.message), "Accept-Encoding", "identity");
    body = send_request(&request, &error);
    result = body ? CWEB_ANSWERED : result_of(&request, error);
    SoupMessageHeaders *headers = soup_message_get_response_headers(request.message);
    if (body && soup_message_headers_get_encoding(headers) == SOUP_ENCODING_CONTENT_LENGTH
        && !soup_message_headers_get_list(headers, "Content-Encoding"))
      transfer->size = soup_message_headers_get_content_length(headers);
  }
  end(&request, body);
  g_clear_error(&error);
  return result;
}

cweb_transfer *cweb_new(
    const char *user_agent, const char *authorities, unsigned seconds, cweb_may_connect_fn may_connect,
    cweb_progress_fn progress, void *context) {
  cweb_transfer *transfer = g_new0(cweb_transfer, 1);
  transfer->user_agent = g_strdup(user_agent);
  transfer->authorities = g_strdup(authorities);
  transfer->seconds = seconds;
  transfer->may_connect = may_connect;
  transfer->progress = progress;
  transfer->context = context;
  transfer->cancellable = g_cancellable_new();
  return transfer;
}

unsigned cweb_status(const cweb_transfer *transfer) { return transfer->status; }

int64_t cweb_count(const cweb_transfer *transfer) { return transfer->count; }

int64_t cweb_size(const cweb_transfer *transfer) { return transfer->size; }

const char *cweb_location(const cweb_transfer *transfer) { return transfer->location; }

const char *cweb_media_type(const cweb_transfer *transfer) { return transfer->media_type; }

void cweb_cancel(cweb_transfer *transfer) { g_cancellable_cancel(transfer->cancellable); }

void cweb_free(cweb_transfer *transfer) {
  forget_response(transfer);
  g_clear_object(&transfer->cancellable);
  g_free(transfer->user_agent);
  g_free(transfer->authorities);
  g_free(transfer);
}
