// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// The debug log, on standard error; off unless `TOUCHTONE_SIP_DEBUG` is set.
enum Log {
    /// Whether the log is on.
    static let isOn = environment("TOUCHTONE_SIP_DEBUG") != nil

    /// Writes a line, which must not have passwords or SIP headers.
    static func warn(_ message: @autoclosure () -> String) {
        guard isOn else { return }
        let line = "touchtone-sip: \(message())\n"
        write(STDERR_FILENO, line, line.utf8.count)
    }
}
