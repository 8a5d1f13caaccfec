// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The request on the command line.
enum CommandLineArguments {
    /// Show the phone, with or without a link filled in.
    case run(link: PhoneLink?)
    /// Wait for calls and messages without a window.
    case background
    /// The desktop started the program to send it a message on the bus.
    case service
    case help
    case version

    /// An invalid command line, with a description of the problem on one line.
    struct UsageError: Error {
        let message: String
    }

    static var usage: String {
        localized(
            "Usage: touchtone [OPTION | LINK]\n\nA push-button telephone for the desktop. A tel: or sip: LINK fills in the number\nor address and waits for you to dial; an xmpp: LINK opens a conversation.\n\n      --background  start without a window\n  -h, --help        show this help\n  -V, --version     show the version\n\nExample: touchtone tel:+15558675309"
        )
    }

    init(_ arguments: [String]) throws(UsageError) {
        guard let first = arguments.first else {
            self = .run(link: nil)
            return
        }
        guard arguments.count == 1 else {
            throw UsageError(
                message: localizedPlural(
                    "only one link can be opened at a time, not {count}",
                    "only one link can be opened at a time, not {count}", arguments.count))
        }
        switch first {
        case "-h", "--help": self = .help
        case "-V", "--version": self = .version
        case "--background": self = .background
        case "--gapplication-service": self = .service
        case _ where first.hasPrefix("-"):
            throw UsageError(message: localized("unknown option “{option}”", ["option": Self.shown(first)]))
        default:
            do throws(PhoneLink.Unreadable) {
                self = .run(link: try PhoneLink(first))
            } catch {
                throw UsageError(
                    message: localized(
                        "“{link}”: {reason}", ["link": Self.shown(first), "reason": error.message]))
            }
        }
    }

    /// Returns an argument in a form that is safe to print on a terminal: shortened, and without control characters.
    private static func shown(_ argument: String) -> String {
        let scalars = argument.unicodeScalars.prefix(64).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned: Unicode.Scalar("?")
            default: scalar
            }
        }
        let text = String(String.UnicodeScalarView(scalars))
        return argument.unicodeScalars.count > 64 ? text + "…" : text
    }
}
