// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

extension ExtensionState {
    /// The word beside a lamp; empty where the lamp says enough.
    var word: String {
        switch self {
        case .unknown, .free: ""
        case .ringing: localizedIn("lamp of a memory key", "RING")
        case .busy: localizedIn("lamp of a memory key", "BUSY")
        }
    }

    /// The state as it is read; empty if it is unknown.
    var text: String {
        switch self {
        case .unknown: ""
        case .free: localizedIn("extension", "free")
        case .ringing: localizedIn("extension", "ringing")
        case .busy: localizedIn("extension", "busy")
        }
    }

    /// The style of the lamp.
    var style: String {
        switch self {
        case .unknown: "unknown"
        case .free: "free"
        case .ringing: "ringing"
        case .busy: "busy"
        }
    }
}
