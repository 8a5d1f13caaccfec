// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import Glibc

/// The check whether the versions of liblinphone and its libraries are known.
///
/// Parts of the engine take the place of functions inside these libraries, some of which protect calls, or use functions that are
/// not meant for programs. Nothing else would tell that a newer version goes past the first, or lacks the others.
enum LibraryCheck {
    /// Writes what is unknown to standard error, which the journal keeps; returns whether all is known.
    @discardableResult
    static func report() -> Bool {
        var isKnown = true
        let versions = [
            ("liblinphone", Texts.safe(linphone_core_get_version())),
            ("belle-sip", Texts.safe(belle_sip_version_to_string())),
        ]
        for (library, version) in versions where !sipshims_knows_version(version) {
            say("\(library) \(version) has not been tried with Touchtone; calls may be less protected.")
            isKnown = false
        }
        var position = 0
        while let name = sipshims_missing_function(&position) {
            say(
                "the libraries of liblinphone have no \(String(cString: name)), which Touchtone guards or needs."
            )
            isKnown = false
        }
        return isKnown
    }

    private static func say(_ text: String) {
        let line = "touchtone-sip: \(text)\n"
        write(STDERR_FILENO, line, line.utf8.count)
    }
}
