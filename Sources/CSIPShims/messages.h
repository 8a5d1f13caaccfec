// SPDX-License-Identifier: GPL-3.0-or-later

// What the guards of this target share: the lines of messages, and the connection that is being read.

#ifndef CSIPSHIMS_MESSAGES_H
#define CSIPSHIMS_MESSAGES_H

#include "CSIPShims.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

/// Returns whether a line is a field with this name or its short form, which is a zero if it has none.
bool sipshims_is_field(const char *line, size_t length, const char *name, char short_name);

/// Calls a function with each line of a header after the first, until it returns false. Returns whether it never did.
bool sipshims_each_line(
    const char *text, size_t length, bool (*accept)(const char *line, size_t length, void *context), void *context);

/// Returns whether the first line is one of a request or a response (RFC 3261, section 7).
bool sipshims_has_start_line(const char *text, size_t length);

/// Returns a copy of a header without the fields that belle-sip cannot read, to be freed, and its length; NULL if it is not
/// a header of a message. Continuation lines are joined.
char *sipshims_clean_header(const char *text, size_t length, size_t *clean_length);

/// Replaces a line with the type of a body with several parts by one with a type that no library knows, and with the boundary.
/// The line must have space for twice its length. Returns the new length.
size_t sipshims_hide_parts(char *line, size_t length);

/// Returns whether belle-sip reads a header, or a message without a body, in a short time and without harm. One that is not
/// clean may have longer fields of those that the cleaning takes.
bool sipshims_is_read_fast(const char *text, size_t length, bool is_clean);

/// The session description in a body with several parts.
struct sipshims_part {
    /// The start, in the body; NULL if there is none that can be used.
    const char *text;
    size_t length;
    /// Whether another part must be understood (RFC 5621, section 8.2).
    bool is_refused;
};

/// Finds the session description in a body, with the boundary as `sipshims_hide_parts` wrote it. It changes the fields of parts.
struct sipshims_part sipshims_find_session(char *body, size_t size, const char *hidden_boundary);

/// Returns whether a character may be in a name or a method (RFC 3261, section 25.1, token).
bool sipshims_is_token(char character);

/// Writes a line that is not UTF-8 as if it was Latin-1, which many servers send. Returns its new size; it has room for
/// three times its size.
size_t sipshims_make_utf8(char *line, size_t size);

/// Puts the name of a field with an address in quotes if it needs them (RFC 3261, section 25.1, display-name): belle-sip
/// reads nothing of a message with another one. Returns the line's new size; it has room for 2 bytes more.
size_t sipshims_quote_name(char *line, size_t size);

/// Gives parameters of a field Contact another name that have an address of this phone which belle-sip cannot read.
void sipshims_hide_strange_instances(char *line, size_t length);

struct sockaddr;

/// Writes the address of a socket; that of IPv4 is mapped.
void sipshims_address_of(const struct sockaddr *socket, struct in6_addr *address);

/// Writes the address of the sender of the message that is being read; IPv4 addresses are mapped. Returns false if none is.
bool sipshims_sender(struct in6_addr *address);

/// Returns the port from which the message that is being read came; 0 if none is.
uint16_t sipshims_sender_port(void);

/// Returns whether the message that is being read came over a transport.
bool sipshims_is_reading_over(const char *transport);

/// Returns whether the message that is being read came over TLS.
bool sipshims_is_reading_tls(void);

/// Notes that a message of a sender will be handled. Returns false if it is one of which an earlier process has died.
bool sipshims_begin_message(const char *header, size_t length, const struct in6_addr *sender);

/// Tells whether a message is being handled, and no longer read.
void sipshims_set_handling(bool handles);

struct _belle_sip_message;

/// The first field of a type of belle-sip; NULL if it is missing. `belle_sip_message_get_header_by_type` would check the type of
/// the message with a function, which the tests do not link.
#define sipshims_field(message, type) \
    ((type *)_belle_sip_message_get_header_by_type_id(message, BELLE_SIP_TYPE_ID(type)))

/// Replaces a body, and its length in the header, by which liblinphone reads it.
void sipshims_set_body(struct _belle_sip_message *message, const char *text, size_t size);

/// Returns the value of a field; NULL if it is missing.
const char *sipshims_value(struct _belle_sip_message *message, const char *name);
struct belle_sip_provider;

/// Writes the address of the server through which an account sends a request, and returns true; false if it is no account's.
bool sipshims_find_route(struct _belle_sip_message *request, char *address, size_t size);

/// Notes the server and the realms of a response to REGISTER, and removes challenges to which the phone must not respond. A
/// response that has no other becomes a refusal: 494 if the server asks in a way that the phone does not support, otherwise 403.
void sipshims_check_challenges(struct belle_sip_provider *provider, struct _belle_sip_message *response);

/// Joins the two fields that may assert identities of a caller (RFC 3325, section 9.1): liblinphone has only the first.
void sipshims_join_identities(struct _belle_sip_message *message);

/// What the fields of a request say of the diversions of its call.
struct sipshims_diversions {
    /// The steps in Diversion (RFC 5806).
    int steps;
    /// The values of History-Info (RFC 7044), which has one for each place: those to which the call was sent on have a cause
    /// (RFC 4458), those from which it was have a reason, and servers write either or both.
    int causes, reasons;
};

/// The phone's own field for the number of diversions: belle-sip has only the first of several fields, and nothing of one with
/// several values.
#define sipshims_diversions_field "X-Touchtone-Diversions"

/// The greatest size of a line with that field.
enum { sipshims_longest_diversions = 40 };

/// Counts the diversions that a field tells of. Returns whether nobody else is to see it: it is one of these fields, or what a
/// stranger has written in the phone's own.
bool sipshims_count_diversions(const char *line, size_t length, struct sipshims_diversions *found);

/// Writes the line with the number of diversions. Returns its size, 0 if there were none.
size_t sipshims_write_diversions(const struct sipshims_diversions *found, char *line);

/// Reports who the far end of a call is now, if a request or response within the call may say so.
void sipshims_watch_identity(struct belle_sip_provider *provider, struct _belle_sip_message *message);

/// Returns the status that refuses an address to which the far end of a call leads the phone; 0 if none does.
int sipshims_refusal(struct _belle_sip_message *message, const char *target, enum sipshims_lead lead);

/// Reports a summary of messages. Returns the status of the response; 0 if liblinphone has to respond, because it ends a
/// subscription.
int sipshims_take_summary(struct belle_sip_provider *provider, struct _belle_sip_message *request);

/// Reports the dialogs of an extension. Returns the status of the response; 0 if liblinphone has to respond, because it ends a
/// subscription.
int sipshims_take_dialogs(struct belle_sip_provider *provider, struct _belle_sip_message *request);

/// Returns a number that hardly any other text has.
uint64_t sipshims_hash(const char *text);

/// The calls that are remembered, by the hashes of their Call-IDs; zero for none. The oldest are overwritten.
struct sipshims_calls {
    uint64_t hashes[256];
    size_t next;
};

/// Remembers a call by its Call-ID.
void sipshims_remember_call(struct sipshims_calls *calls, const char *call);

/// Returns the place of a call that is remembered; NULL if it is not.
uint64_t *sipshims_find_call(struct sipshims_calls *calls, const char *call);

/// Notes a request that is being sent, if it is one to subscribe.
void sipshims_note_request(struct _belle_sip_message *request, const char *method);

/// Notes a response to a request to subscribe, and reports one to a key by INFO.
void sipshims_watch_response(struct _belle_sip_message *response);

/// Returns whether a text begins with a word in any case, which a parameter may follow.
bool sipshims_is_word(const char *text, const char *word);

/// Returns whether a NOTIFY belongs to a subscription of the phone that has been accepted.
bool sipshims_is_subscribed(struct belle_sip_provider *provider, struct _belle_sip_message *request);

/// Returns whether a response has what it must have from the request to which it responds (RFC 3261, section 8.2.6.2), or
/// responds to none that is under way.
bool sipshims_fits_request(struct belle_sip_provider *provider, struct _belle_sip_message *response);

/// Bounds the time after which a server wants to be asked again for a registration.
void sipshims_bound_retry(struct _belle_sip_message *response);

/// Leaves of the addresses of a redirection the one that the phone tries next, or makes an error of it (RFC 3261, section
/// 8.1.3.4).
void sipshims_check_redirection(struct _belle_sip_message *response);

/// Notes that the channel of a REGISTER leads to the server of an account.
void sipshims_note_server(const struct in6_addr *address, const char *route);

/// Returns whether an address is one of the server of an account.
bool sipshims_is_server(const struct in6_addr *address, const char *route);

/// Returns whether a message has keys of SDES (RFC 4568).
bool sipshims_has_keys(struct _belle_sip_message *message);

/// Removes keys that came over another transport than TLS (RFC 4568, section 7). Returns false if no medium is left.
bool sipshims_remove_open_keys(struct _belle_sip_message *message);

/// Lets the responses to a request that is being read go back over its connection, if it came over one.
void sipshims_return_over_connection(struct _belle_sip_message *request);

/// Returns whether the message that is being read comes from a phone, and not from a server.
bool sipshims_is_reading_direct(void);

/// Notes that a call comes from a phone, and not from a server.
void sipshims_note_direct_call(const char *call);

#endif
