// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The user-visible names and descriptions of lines.
@MainActor
enum LineStrings {
    static func name(of line: any Line) -> String {
        switch line.id {
        case "tel": localized("Desktop Phone App")
        case "practice": localized("Practice Exchange")
        default:
            switch line.calls {
            case .none: line.isMobile ? line.name : line.label
            case .sip: SIPAccountStrings.name(ofAddress: line.address)
            case .people:
                localized(
                    "Jabber: {address}",
                    ["address": PlainText.line(CallAddress.shown(line.address), maximum: 100)])
            }
        }
    }

    /// Returns the name of a line beside the other details of a call: its text on the display may be in capitals,
    /// without accents.
    static func shortName(of line: any Line) -> String {
        switch line.id {
        case "tel": line.name.isEmpty ? localized("Phone App") : PlainText.line(line.name, maximum: 40)
        case "practice": localizedIn("line of a call", "Practice")
        default: line.isMobile ? PlainText.line(line.name, maximum: 40) : line.label
        }
    }

    /// Returns a description of an available line, or its connection state, or the reason why it is unavailable.
    static func description(of line: any Line) -> String {
        switch line.state {
        case .available: description(ofAvailable: line)
        case .connecting: localized("The line is being connected.")
        case .unavailable(let reason): reason
        }
    }

    private static func description(ofAvailable line: any Line) -> String {
        switch line.id {
        case "tel": localized("Opens the number in the desktop’s default app for tel: links.")
        case "practice":
            localized(
                "A simulated exchange inside Touchtone that makes no real calls. Dial any 7- or 10-digit number."
            )
        default:
            switch line.calls {
            case .none:
                line.isMobile ? localized("Makes and takes calls with this phone, by Bluetooth.") : ""
            case .sip: localized("Makes and takes real calls with your SIP account.")
            case .people:
                line.callsNumbers
                    ? localized("Calls people on Jabber, and phone numbers through a gateway.")
                    : localized("Calls people on Jabber. Phone numbers need a gateway.")
            }
        }
    }
}
