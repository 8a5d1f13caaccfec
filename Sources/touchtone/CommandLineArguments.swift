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
    /// Ask the running phone to fill a number in, or to dial it.
    case call(target: String, dials: Bool)
    case account(AccountRequest)
    /// Print a report for a bug.
    case diagnose
    case help
    case version

    /// An invalid command line, with a description of the problem on one line.
    struct UsageError: Error {
        let message: String
    }

    static var usage: String {
        localized(
            "Usage: touchtone [OPTION | LINK]\n       touchtone call [--now] NUMBER\n       touchtone account add|list|remove|test [--sip|--jabber] [ADDRESS]\n       touchtone account setup URL\n\nA push-button telephone for the desktop. A tel: or sip: LINK fills in the number\nor address and waits for you to dial; an xmpp: LINK opens a conversation.\n\n  call              fill a number in, or dial it with --now\n  account           change accounts; the password is read from standard input\n\n      --background  start without a window\n      --diagnose    print a report without names, numbers and secrets\n  -h, --help        show this help\n  -V, --version     show the version\n\nExample: touchtone tel:+15558675309"
        )
    }

    init(_ arguments: [String]) throws(UsageError) {
        guard let first = arguments.first else {
            self = .run(link: nil)
            return
        }
        switch first {
        case "call":
            self = try Self.call(Array(arguments.dropFirst()))
            return
        case "account":
            self = .account(try AccountRequest(Array(arguments.dropFirst())))
            return
        default: break
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
        case "--diagnose": self = .diagnose
        case "--gapplication-service": self = .service
        case _ where first.hasPrefix("-"):
            throw Self.unknownOption(first)
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

    static func unknownOption(_ option: String) -> UsageError {
        UsageError(message: localized("unknown option “{option}”", ["option": shown(option)]))
    }

    private static func call(_ arguments: [String]) throws(UsageError) -> CommandLineArguments {
        var (targets, dials, hasOptions): ([String], Bool, Bool) = ([], false, true)
        for argument in arguments {
            switch argument {
            case "--" where hasOptions: hasOptions = false
            case "--now" where hasOptions: dials = true
            case _ where hasOptions && argument.hasPrefix("-"): throw unknownOption(argument)
            default: targets.append(argument)
            }
        }
        guard targets.count == 1, let target = targets.first else {
            throw UsageError(
                message: localized("give one number or address to call, in quotes if it has spaces"))
        }
        return .call(target: target, dials: dials)
    }

    /// Returns an argument in a form that is safe to print on a terminal: shortened, and without control characters.
    static func shown(_ argument: String) -> String {
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
