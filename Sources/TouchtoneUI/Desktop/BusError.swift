// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The errors with which the phone answers programs on the bus; their messages are for scripts, and so in English.
@MainActor
enum BusError {
    static let prefix = Resources.applicationID + ".Error."

    static let locked = error("Locked", "The phone is locked")
    static let inUse = error("LinesInUse", "Another call cannot be put on hold")
    static let invalidKeys = error(
        "InvalidKeys", "Only 0 to 9, *, # and A to D can be sent, at most \(CallManager.maximumWaitingKeys)")
    static let tooLong = error("TooLong", "The text is too long")

    static func impossible(_ message: String) -> DBusError { error("NotPossible", message) }

    /// Returns the error for a text that is no number or address, with the reason on the display.
    static func unreadable(_ status: PhoneStatus) -> DBusError {
        error("InvalidNumber", "Not a number or address: \(status.text)")
    }

    static func of(_ refusal: CallManager.Refusal) -> DBusError {
        switch refusal {
        case .ended: error("Ended", "The call has ended")
        case .impossible: impossible("The call cannot do this, or not in its state")
        case .inUse: inUse
        case .full: error("TooManyKeys", "As many keys as can wait to be sent are waiting already")
        }
    }

    private static func error(_ name: String, _ message: String) -> DBusError {
        DBusError(prefix + name, message)
    }
}
