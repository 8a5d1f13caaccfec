// SPDX-License-Identifier: GPL-3.0-or-later

// Files that import Glibc also import this module: its headers bring structures of the C library, which belong to
// either module, as the order of imports has it.

#include <linphone/core.h>
#include <linphone/factory.h>
#include <linphone/logging.h>
#include <linphone/error_info.h>
#include <linphone/conference.h>
#include <linphone/call_stats.h>
#include <bctoolbox/crypto.h>
#include <bctoolbox/logging.h>
#include <mediastreamer2/stun.h>
#include <ortp/port.h>
#include <ortp/telephonyevents.h>
#include <belle-sip/auth-helper.h>
#include <belle-sip/utils.h>

static inline void clinphone_write_nothing(const char *domain, BctbxLogLevel level, const char *format, va_list values) {
  (void)domain, (void)level, (void)format, (void)values;
}

/// Stops bctoolbox from writing the log of all libraries to the standard output. Swift cannot define the function.
static inline void clinphone_silence_default_log(void) { bctbx_set_log_handler(clinphone_write_nothing); }

/// Sets the function that is called for each certificate of a server during its verification, with the certificate in
/// DER, its depth in the chain (0 for the server's own) and the failed checks (`BCTBX_CERTIFICATE_VERIFY_…`).
///
/// The function that it calls is declared deprecated, but liblinphone has no other way to learn why a connection failed.
static inline void clinphone_watch_certificates(
    int (*callback)(const unsigned char *certificate, int length, int depth, uint32_t *flags)) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  belle_sip_tls_set_verify_error_cb((void *)callback);
#pragma GCC diagnostic pop
}

/// Frees memory of mediastreamer. In newer versions of ortp, the function is a macro.
static inline void clinphone_free(void *memory) { ortp_free(memory); }

// What differs between liblinphone 5.1 and 5.3. Functions that only one of them has are weak: null if it lacks them.
// Those that 5.3 declares deprecated have no replacement in 5.1.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

__attribute__((weak)) void linphone_call_params_set_account(LinphoneCallParams *, LinphoneAccount *);
__attribute__((weak)) LinphoneConferenceParams *linphone_core_create_conference_params_2(
    LinphoneCore *, LinphoneConference *);
__attribute__((weak)) void linphone_conference_set_microphone_muted(LinphoneConference *, bool_t);
__attribute__((weak)) int linphone_conference_mute_microphone(LinphoneConference *, bool_t);

/// Makes a call with an account of the core, whose key is that of its parameters (`idkey`).
static inline void clinphone_use_account(LinphoneCallParams *parameters, LinphoneCore *core, const char *key) {
  if (linphone_call_params_set_account)
    linphone_call_params_set_account(parameters, linphone_core_get_account_by_idkey(core, key));
  else linphone_call_params_set_proxy_config(parameters, linphone_core_get_proxy_config_by_idkey(core, key));
}

/// Returns the conversation of joined calls; null if there is none.
static inline LinphoneConference *clinphone_conference(LinphoneCore *core) { return linphone_core_get_conference(core); }

/// Creates parameters for a new conversation of joined calls.
static inline LinphoneConferenceParams *clinphone_create_conference_parameters(LinphoneCore *core) {
  if (linphone_core_create_conference_params_2) return linphone_core_create_conference_params_2(core, NULL);
  return linphone_core_create_conference_params(core);
}

/// Mutes or unmutes the microphone for a conversation of joined calls.
static inline void clinphone_mute(LinphoneConference *conference, bool_t is_muted) {
  if (linphone_conference_set_microphone_muted) linphone_conference_set_microphone_muted(conference, is_muted);
  else if (linphone_conference_mute_microphone) linphone_conference_mute_microphone(conference, is_muted);
}

#pragma GCC diagnostic pop
