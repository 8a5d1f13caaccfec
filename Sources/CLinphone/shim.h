// SPDX-License-Identifier: GPL-3.0-or-later

// Files that import Glibc also import this module: its headers bring structures of the C library, which belong to
// either module, as the order of imports has it.

#include <linphone/core.h>
#include <linphone/factory.h>
#include <linphone/logging.h>
#include <linphone/error_info.h>
#include <linphone/conference.h>
#include <linphone/call_stats.h>
#include <linphone/nat_policy.h>
#include <linphone/payload_type.h>
#include <bctoolbox/crypto.h>
#include <bctoolbox/logging.h>
#include <mediastreamer2/stun.h>
#include <ortp/telephonyevents.h>
#include <belle-sip/auth-helper.h>

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
