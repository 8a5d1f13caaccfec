// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims

/// The check of the versions of liblinphone and its libraries: parts of the engine replace functions inside
/// them, some of which protect calls, and nothing else would tell that a newer version avoids these.
enum LibraryCheck {
    /// Writes what is unknown to standard error; returns whether all is known.
    @discardableResult
    static func report() -> Bool {
        var isKnown = true
        let versions = [
            ("liblinphone", Texts.safe(linphone_core_get_version())),
            ("belle-sip", Texts.safe(belle_sip_version_to_string())),
        ]
        for (library, version) in versions where !sipshims_knows_version(version) {
            Log.write("\(library) \(version) has not been tried with Touchtone; calls may be less protected.")
            isKnown = false
        }
        var position = 0
        while let name = sipshims_missing_function(&position) {
            Log.write(
                "the libraries of liblinphone have no \(String(cString: name)), which Touchtone guards or needs."
            )
            isKnown = false
        }
        return isKnown
    }
}
