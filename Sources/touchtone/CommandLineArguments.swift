// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// What the command line asks for.
enum CommandLineArguments {
    /// Show the phone, with a link filled in or without.
    case run(link: PhoneLink?)
    /// The desktop started the program to send it a message on the bus.
    case service
    case help
    case version

    /// A command line that can't be understood: what is wrong, in a line.
    struct UsageError: Error {
        let message: String
    }

    static var usage: String {
        localized(
            "Usage: touchtone [OPTION | LINK]\n\nA push-button telephone for the desktop. With a tel: LINK the number is filled in,\nand waits for you to dial it; an xmpp: LINK opens the conversation with somebody.\n\n  -h, --help      show this help\n  -V, --version   show the version\n\nExample: touchtone tel:+15558675309"
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
                    "one link at a time can be opened, not {count}",
                    "one link at a time can be opened, not {count}", arguments.count))
        }
        switch first {
        case "-h", "--help": self = .help
        case "-V", "--version": self = .version
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

    /// An argument as it can be printed on a terminal: cut, and without what would steer it.
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
