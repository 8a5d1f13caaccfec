// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import Glibc

/// The check whether this version of liblinphone is known.
///
/// Parts of the engine take the place of functions inside liblinphone's libraries, some of which protect calls. Nothing else
/// would tell that a newer version goes past them.
enum LibraryCheck {
    /// Writes what is unknown to standard error, which the session's journal keeps.
    static func report() {
        let version = Texts.safe(linphone_core_get_version())
        if !sipshims_knows_version(version) {
            say("liblinphone \(version) has not been tried with Touchtone; calls may be less protected.")
        }
        var position = 0
        while let name = sipshims_missing_function(&position) {
            say("liblinphone \(version) has no \(String(cString: name)) that Touchtone could guard.")
        }
    }

    private static func say(_ text: String) {
        let line = "touchtone-sip: \(text)\n"
        write(STDERR_FILENO, line, line.utf8.count)
    }
}
