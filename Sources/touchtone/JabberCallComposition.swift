// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore
import TouchtoneEngine
import TouchtoneNumbers
import TouchtoneUI
import TouchtoneXMPP

/// The composition of calls over Jabber: a line for each account that is used.
@MainActor
final class JabberCallComposition {
    private let engine: CallEngine
    private let lines: LineRegistry
    private let settings: Settings
    /// A closure that returns the rules of a gateway, which takes international numbers.
    private let makeRules: @MainActor () -> DialRules
    private let callers: CallerRules

    init(
        engine: CallEngine, lines: LineRegistry, callers: CallerRules, settings: Settings,
        library: PhoneNumberLibrary, region: @escaping @MainActor () -> String
    ) {
        (self.engine, self.lines, self.callers, self.settings) = (engine, lines, callers, settings)
        makeRules = {
            let region = region()
            return DialRules(form: .international) { library.outgoing($0, form: $1, region: region) }
        }
    }

    /// Returns what the calls of an account need.
    ///
    /// - Parameters:
    ///   - line: The id of the account’s line.
    ///   - own: The settings of the account.
    ///   - prefix: The beginning of the names of its keys.
    func dependencies(_ line: String, in own: Settings, prefix: String) -> CallDependencies {
        var dependencies = CallDependencies(engine: engine, line: line)
        dependencies.makeRules = makeRules
        dependencies.callers = callers
        dependencies.relayUse = { [weak settings] in
            settings.flatMap { RelayUse(rawValue: $0[text: "calls-by-relay"]) } ?? .always
        }
        dependencies.takesPlainCalls = { [weak settings] in
            settings?[flag: "allow-unencrypted-calls"] ?? false
        }
        dependencies.storage = ChatComposition.entries(in: own, key: prefix + "calls")
        return dependencies
    }

    /// Shows the line of an account while the account is used.
    func follow(_ account: ChatAccount, _ session: XMPPAccountSession) {
        guard let line = session.line else { return }
        account.observe(by: session) { [weak account, lines] in
            if let account, account.details.isAccount, account.isEnabled {
                lines.add(line)
            } else {
                lines.remove(line.id)
            }
        }
    }
}
