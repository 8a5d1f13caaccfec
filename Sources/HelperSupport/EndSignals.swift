// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc

/// The signals that ask the process to end, which reach the phone at the same time: at the end of a session,
/// and at Ctrl+C in a terminal.
public enum EndSignals {
    /// Ends the helper at the first signal as if the phone had closed the connection, so that it finishes what it does; a
    /// second one of the same kind ends it at once.
    public static func handle() {
        for number in [SIGHUP, SIGINT, SIGTERM] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in
                let error = errno
                // What the phone has already sent is still read.
                shutdown(STDIN_FILENO, Int32(SHUT_RD))
                errno = error
            }
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_RESTART
            sigaction(number, &action, nil)
        }
    }
}
