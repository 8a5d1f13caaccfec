// SPDX-License-Identifier: GPL-3.0-or-later

// Functions that take the place of those of libraries, or whose parameters are macros.

#ifndef CSIPSHIMS_H
#define CSIPSHIMS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Starts a process that makes connections to the local sockets at these paths for this one, also after
/// `chelper_deny_calls`: libraries that call connect(2) need not know of it. It ends with this process, which must not have
/// any other thread yet. Returns false on failure.
bool sipshims_start_connector(const char *const *paths, size_t count);

/// Makes the kernel drop each datagram at a UDP socket that is neither a SIP response nor from one of the addresses;
/// IPv4 addresses are mapped (`::ffff:a.b.c.d`). At most 64 addresses are used. Datagrams of the port `endpoint` at 127.0.0.1
/// pass, too, unless it is 0. Returns false on failure.
bool sipshims_accept_requests_from(int socket, const struct in6_addr *addresses, size_t count, uint16_t endpoint);

/// Removes the filter of a socket.
void sipshims_accept_all_requests(int socket);

/// Replaces what is not a SIP message in the datagrams of a socket by keep-alives, for the libraries that read it.
void sipshims_guard(int socket);

/// Guards the connections of the thread that calls it, which is the one that reads SIP, as well.
void sipshims_guard_streams(void);

/// Returns whether a response to REGISTER came on a connection since the last call, and writes its sender's address.
bool sipshims_take_registrar(struct in6_addr *address);

/// Notes in a file, for the time that it is handled, the fingerprint of each message that arrives: eight bytes, zero for none.
void sipshims_note_messages(int file);

/// Sets the fingerprints of the messages that are dropped for an hour.
void sipshims_refuse_messages(const int64_t *prints, size_t count);

/// Notes that all messages so far have been handled.
void sipshims_end_messages(void);

/// Releases the addresses that liblinphone has read, which it keeps otherwise.
void sipshims_forget_addresses(void);

/// Refuses the requests for new calls that reach a guarded socket, except those from the addresses: far ends of calls
/// may send requests, but they could claim any identity in a new call. At most 64 addresses are used.
void sipshims_accept_calls_from(const struct in6_addr *addresses, size_t count);

/// Accepts requests for new calls from this port at 127.0.0.1, too, which is a socket of this process; 0 for none.
void sipshims_accept_endpoint(uint16_t port);

/// Accepts requests for new calls from all senders.
void sipshims_accept_all_calls(void);

/// Accepts requests for new calls from other senders over UDP, too, or no longer. What such a sender asserts about a caller
/// (RFC 3325) is hidden.
void sipshims_accept_direct_calls(bool accepts);

/// The way in which a far end leads a call to an address: by a transfer (REFER), by a redirection (3xx), or as another
/// address of a redirection, for the case that those before cannot be reached.
enum sipshims_lead { sipshims_transfer, sipshims_redirection, sipshims_alternative };

/// A check of such an address. It gets the Call-ID and the value of Refer-To or Contact, and returns the status that refuses
/// it, or 0.
typedef int (*sipshims_target_check)(
    void *context, const char *call, const char *target, enum sipshims_lead lead);

/// Checks such addresses from now on, on the thread of liblinphone; with NULL, no longer.
void sipshims_check_targets(sipshims_target_check check, void *context);

/// A report of the response to a key by INFO (RFC 6086), with the Call-ID, the request's number, and whether the far end
/// refuses all of them.
typedef void (*sipshims_key_report)(void *context, const char *call, unsigned long sequence, bool is_refused);

/// Reports the responses to keys by INFO from now on, on the thread of liblinphone; with NULL, no longer.
void sipshims_watch_keys(sipshims_key_report report, void *context);

/// Returns whether the last request of the subscription with a Call-ID has no final response yet.
bool sipshims_awaits_response(const char *call);

/// What a message within a call says of the far end; a field that it does not have is NULL.
struct sipshims_identity {
    /// The Call-ID.
    const char *call;
    /// From of a request (RFC 4916); NULL for a response.
    const char *from;
    /// The identity that the server asserts (RFC 3325), and its older form.
    const char *asserted, *remote_party;
    /// What is to be hidden of the first (RFC 3323).
    const char *privacy;
};

/// A report of what a message within a call says of the far end.
typedef void (*sipshims_identity_report)(void *context, const struct sipshims_identity *identity);

/// Reports such messages from now on, if they come from a server, on the thread of liblinphone; with NULL, no longer.
/// liblinphone does not tell of an UPDATE without a session (RFC 3311), and of none of these fields but one.
void sipshims_watch_identities(sipshims_identity_report report, void *context);

/// Returns whether Touchtone was tested with a version of liblinphone or belle-sip, such as `5.3.105`. bctoolbox, ortp and
/// mediastreamer do not tell theirs.
bool sipshims_knows_version(const char *version);

/// Returns the name of the next function that this target replaces or uses and no library has; NULL if there is none. The
/// position is 0 at first.
const char *sipshims_missing_function(size_t *position);

/// Leaves the sound and real-time text in a session description (RFC 8866) that a far end sends. Returns the new text, to be
/// freed, or NULL if it has no sound that can be taken. It also sets the layout, to be freed, which the completion gets; NULL if
/// nothing has to be completed. `over_tls` says whether keys in it were protected on the way.
typedef char *(*sipshims_media_reduction)(const char *session, bool is_offer, bool over_tls, char **layout);

/// Returns a session description of the phone with the media that it refuses in their places, to be freed; NULL if it is
/// complete.
typedef char *(*sipshims_media_completion)(const char *session, const char *layout);

/// Passes only the sound and the text of session descriptions to liblinphone from now on. An offer without any is refused (488).
void sipshims_reduce_sessions(sipshims_media_reduction reduction, sipshims_media_completion completion);

/// A search for the server of a request. It gets the Call-ID, and the user and the host in From, and writes the address of
/// the account's server, with its transport. Accounts may share their user and host: the index counts them. Returns false
/// if there is no such account.
typedef bool (*sipshims_route)(
    void *context, const char *call, const char *user, const char *host, int index, char *address, size_t size);

/// Sends each request through the server of its account, over its transport, from now on; others are refused. With NULL, no
/// longer. The search is made on the thread of liblinphone.
void sipshims_set_routes(sipshims_route find, void *context);

/// Makes liblinphone use its default account for calls whose account it does not know, until the next message arrives.
void sipshims_use_default_account(bool uses);

/// liblinphone's core.
struct _LinphoneCore;

/// Adds three devices of ALSA by their names to the devices that liblinphone lists from its next search on, in place of
/// those of the call before; an empty name adds none.
void sipshims_set_alsa_devices(
    struct _LinphoneCore *core, const char *playback, const char *capture, const char *ringing);

/// Returns the driver of the device for calls that the answering machine has.
const char *sipshims_machine_driver_name(void);

/// Adds that device to those that liblinphone lists from its next search on. It must be called once.
void sipshims_add_machine_device(struct _LinphoneCore *core);

/// Lets calls have sound at the same time from now on, so that one beside those of the user holds and ends none of them; with
/// false, no longer.
void sipshims_share_sound(bool is_wanted);

/// Returns whether the sound server to which mediastreamer was connected has ended, or was never there.
bool sipshims_has_lost_sound_server(void);

/// Ends mediastreamer's connection to a sound server, so that it makes another when it lists the devices next. No call may
/// be using it.
void sipshims_disconnect_sound_server(struct _LinphoneCore *core);

/// Makes liblinphone refresh sessions by INVITE (RFC 4028). It would send UPDATE also to far ends that do not allow it, which
/// end the call when its time is over.
void sipshims_refresh_by_invite(struct _LinphoneCore *core);

/// Refuses requests for new calls with the Call-ID of another call from now on.
void sipshims_refuse_merged_calls(struct _LinphoneCore *core);

/// liblinphone's call.
struct _LinphoneCall;

/// Starts to send a key, one of `0`–`9`, `*`, `#` and `A`–`D`, as a telephone event in a call (RFC 4733), for a time of at
/// least 80 milliseconds, or if that is 0 until `sipshims_stop_tone`. It lasts one minute at most. Returns false if the
/// call has no stream, or if the previous key has not ended: try again.
bool sipshims_start_tone(struct _LinphoneCall *call, char key, int milliseconds);

/// Takes a part of the sound that a call sends or has received, in one channel, and may change it. It is called by a thread of
/// the media, and must not wait.
typedef void (*sipshims_sound)(void *context, bool is_sent, int16_t *samples, size_t count, int rate);

/// Lets the sound of calls be taken. It must be called before there are calls.
void sipshims_offer_sound(struct _LinphoneCore *core);

/// Hands the sound of a call over from now on, or that of all joined calls. Its stream may be replaced at any time: call it
/// again and again. Returns false if there is no stream.
bool sipshims_take_sound(struct _LinphoneCall *call, bool is_joined, sipshims_sound take, void *context);

/// Ends that; afterwards, no thread has the context any more.
void sipshims_leave_sound(void *context);

/// Returns whether a call has an audio stream: not before the engine has prepared it, and not after it has ended.
bool sipshims_has_stream(struct _LinphoneCall *call);

/// What became of the key that `sipshims_start_tone` started last in a call.
enum sipshims_tone { SIPSHIMS_TONE_WAITS, SIPSHIMS_TONE_SENT, SIPSHIMS_TONE_LOST };

/// Returns whether the first packet of a key has been sent, or will not be, because the call has another stream now.
enum sipshims_tone sipshims_started_tone(struct _LinphoneCall *call);

/// Returns whether the far end of a call accepts the format in which the call sends sound. liblinphone also sends in a
/// format that the answer does not have.
bool sipshims_can_send(struct _LinphoneCall *call);

/// Returns whether a call can send telephone events (RFC 4733): whether the far end has those of the sound's clock or of
/// 8,000 hertz. True if it has no stream.
bool sipshims_has_events(struct _LinphoneCall *call);

/// Returns whether the sound of a call carries keys as tones, for far ends that have no telephone events.
bool sipshims_carries_tones(struct _LinphoneCall *call);

/// Ends the key that a call sends, but not before it has lasted 80 milliseconds.
void sipshims_stop_tone(struct _LinphoneCall *call);

/// oRTP's session.
struct _RtpSession;

/// Returns the source of what a session sends (SSRC, RFC 3550); 0 without a session. It takes the place of oRTP's function,
/// which crashes without one.
uint32_t rtp_session_get_send_ssrc(struct _RtpSession *session);

/// The greatest length of the name of a server (RFC 1035, section 2.3.4), without the zero at its end.
enum { sipshims_longest_host = 255 };

/// Writes the name of the server whose certificate is being verified on this thread; empty if there is none.
void sipshims_verified_host(char host[sipshims_longest_host + 1]);

/// Returns whether a name has SRV records. It blocks until a name server answers. Swift does not import resolv.h, whose
/// functions are macros.
bool sipshims_has_srv(const char *name);

/// Finds the domain whose SRV records a name's NAPTR record for a service has (RFC 3263, section 4.1), such as
/// `example.net` if the record for `SIPS+D2T` leads to `_sips._tcp.example.net`, of which `_sips._tcp.` is the prefix.
/// Returns false if there is none other than the name itself. It blocks until a name server answers.
bool sipshims_find_domain(
    const char *name, const char *service, const char *prefix, char domain[sipshims_longest_host + 1]);

/// Makes liblinphone use the SRV records of another domain for a name and a transport (`tls`, `tcp` or `udp`).
/// Certificates still have to be for the name. Only the thread of liblinphone may call it.
void sipshims_use_domain(const char *name, const char *transport, const char *other);

/// Returns whether the sound of a call cannot be encrypted: the handshake of DTLS has failed, or the far end has another
/// certificate than it has told.
bool sipshims_has_failed_handshake(struct _LinphoneCall *call);

/// Returns whether the sound of a call is encrypted with the keys of a handshake of DTLS.
bool sipshims_is_encrypted(struct _LinphoneCall *call);

/// Returns the number of all packets of a call with DTLS that have come, also of checks and statistics.
uint32_t sipshims_received(struct _LinphoneCall *call);

/// Whether the ways of a call's sound are checked (ICE, RFC 8445).
enum sipshims_checks { SIPSHIMS_CHECKS_TO_COME, SIPSHIMS_CHECKS_RUNNING, SIPSHIMS_CHECKS_OVER };

/// Returns whether the ways of a call's sound are checked.
enum sipshims_checks sipshims_checks(struct _LinphoneCall *call);

/// Adds an address of the far end to those that are checked; its words are those of a session description (RFC 8839).
void sipshims_add_candidate(
    struct _LinphoneCall *call, const char *kind, const char *address, uint16_t port, uint32_t priority, const char *foundation);

/// Lets the sound of a call go to a relay alone, whose address is numeric, and come from it alone. Returns false while that is not
/// possible, such as for a call without a stream.
bool sipshims_keep_to_relay(struct _LinphoneCall *call, const char *address, uint16_t port);

/// Returns whether real-time text (RFC 4103) runs in a call, with the encryption that was agreed on.
bool sipshims_has_text(struct _LinphoneCall *call);

/// Returns the characters in a second that the far end takes (`cps` of RFC 4103, section 5); 0 if it has stated none.
unsigned sipshims_text_rate(struct _LinphoneCall *call);

/// Takes characters of the text that has come in a call, with U+FFFD for lost ones; returns their number.
size_t sipshims_take_text(struct _LinphoneCall *call, uint32_t *characters, size_t size);

/// Sends a character as text in a call. Returns false if no text runs.
bool sipshims_send_text(struct _LinphoneCall *call, uint32_t character);

/// A summary of the messages in a mailbox (RFC 3842), which a registrar has sent; the texts are its own.
struct sipshims_summary {
    /// The field with the address of the user.
    const char *to;
    /// The state of the subscription; empty if there is none.
    const char *state;
    /// The body, which has no end but its size.
    const char *body;
    size_t size;
};

/// Takes a summary; returns the status of the response.
typedef int (*sipshims_summary_report)(void *context, const struct sipshims_summary *summary);

/// Reports summaries from now on; NULL reports none.
void sipshims_watch_summaries(sipshims_summary_report report, void *context);

/// The dialogs of an extension (RFC 4235), which a registrar has sent; the texts are its own.
struct sipshims_dialogs {
    /// The Call-ID of the subscription, which nobody has checked.
    const char *call;
    /// The state of the subscription; empty if there is none.
    const char *state;
    /// The body, which has no end but its size.
    const char *body;
    size_t size;
};

/// The greatest size of such a body, in bytes.
enum { sipshims_longest_dialogs = 32768 };

/// Takes the dialogs of an extension; returns the status of the response.
typedef int (*sipshims_dialogs_report)(void *context, const struct sipshims_dialogs *dialogs);

/// Reports the dialogs of extensions from now on; NULL reports none.
void sipshims_watch_dialogs(sipshims_dialogs_report report, void *context);

/// Returns whether a stream has begun or has got a gain since the last call of this function.
bool sipshims_take_changed_gains(void);

/// Sets the gain of the microphone of a call, or of all joined calls, in decibels, unless it has that gain. Its stream may be
/// replaced at any time, and liblinphone gives it another gain when it unmutes it: call it again after each change, but not
/// while the call is muted, which is a gain of nothing.
void sipshims_set_gain(struct _LinphoneCall *call, bool is_joined, float decibels);

/// Suppresses noise in what the microphones of all calls record, or leaves it as it is; it is suppressed from the start.
void sipshims_suppress_noise(bool is_wanted);

/// Makes a certificate for DTLS with its key, ECDSA on P-256, in the folder of liblinphone's certificates, unless it has one.
/// Returns false on failure.
bool sipshims_make_certificate(const char *folder);

#endif
