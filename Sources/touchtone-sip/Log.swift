// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import Glibc
import HelperSupport

/// The debug log, on standard error; off unless `TOUCHTONE_SIP_DEBUG` is set.
enum Log {
    static let isOn = environment("TOUCHTONE_SIP_DEBUG") != nil

    /// Writes a line, which must not have passwords or SIP header fields.
    static func warn(_ message: @autoclosure () -> String) {
        if isOn { write(message()) }
    }

    /// Writes a line even if the log is off; the session's journal keeps it.
    static func write(_ message: String) {
        let line = "touchtone-sip: \(message)\n"
        Glibc.write(STDERR_FILENO, line, line.utf8.count)
    }

    /// Takes the place of liblinphone's log, whose errors contain header fields for authentication: only the
    /// first line of a warning or an error is written, up to a bracket, which starts a message.
    static func replaceEngineLog() {
        clinphone_silence_default_log()
        let service = linphone_logging_service_get()
        linphone_logging_service_set_log_level(
            service, isOn ? LinphoneLogLevelWarning : LinphoneLogLevelFatal)
        guard isOn, let callbacks = linphone_factory_create_logging_service_cbs(linphone_factory_get()) else {
            return
        }
        linphone_logging_service_cbs_set_log_message_written(callbacks) { _, domain, _, message in
            let first = Texts.safe(message).prefix { $0 != "[" }
            Log.warn("\(Texts.safe(domain)): \(first.prefix(200))")
        }
        linphone_logging_service_add_callbacks(service, callbacks)
    }
}
