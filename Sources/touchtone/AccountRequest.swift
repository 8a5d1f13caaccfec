// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The request of `touchtone account`.
struct AccountRequest: Hashable {
    enum Action: String, CaseIterable {
        case add, list, remove, test, setup
    }

    enum Kind: String, CaseIterable {
        case sip, jabber
    }

    let action: Action
    /// The kind of the account; nil if only an address says it, or a list is of both.
    let kind: Kind?
    /// The address as it was typed; empty for a list.
    let address: String

    init(_ arguments: [String]) throws(CommandLineArguments.UsageError) {
        guard let word = arguments.first, let action = Action(rawValue: word) else {
            throw .init(message: localized("say what to do with accounts: add, list, remove, test or setup"))
        }
        var (addresses, kind): ([String], Kind?) = ([], nil)
        for argument in arguments.dropFirst() {
            if let option = Kind.allCases.first(where: { argument == "--" + $0.rawValue }) {
                kind = option
            } else if argument.hasPrefix("-") {
                throw CommandLineArguments.unknownOption(argument)
            } else {
                addresses.append(argument)
            }
        }
        guard addresses.count == (action == .list ? 0 : 1) else {
            throw .init(
                message: localized("give one address, except for a list; the password is read, not given"))
        }
        let address = addresses.first ?? ""
        kind = kind ?? (SIPURI.hasScheme(address) ? .sip : XMPPURI.hasScheme(address) ? .jabber : nil)
        guard action != .add || kind != nil else {
            throw .init(message: localized("say --sip or --jabber: the address can be of either kind"))
        }
        (self.action, self.kind, self.address) = (action, kind, address)
    }
}
