// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore
import TouchtoneHelpers
import TouchtoneSIP
import TouchtoneStore
import TouchtoneUI

/// The composition of the SIP accounts; their engine does not run before there is an account.
@MainActor
enum SIPComposition {
    /// Creates the accounts, and adds their lines to the registry.
    static func make(
        settings: Settings, lines: LineRegistry, resources: Resources,
        rules: @escaping @MainActor (String) -> @MainActor () -> DialRules
    ) -> SIPAccounts {
        var dependencies = SIPAccounts.Dependencies(
            settings: settings,
            open: { id throws(GLibError) in try resources.accountSettings(id) },
            lines: lines, passwords: KeyringPasswordStore(service: "sip"), clock: MainLoopScheduler(),
            launcher: ProgramLauncher("touchtone-sip"), userAgent: "Touchtone/\(Main.version)")
        dependencies.makeRules = rules
        return SIPAccounts(dependencies)
    }

    /// Connects the accounts to the phone's sound devices, contacts and call history.
    static func connect(
        _ accounts: SIPAccounts, settings: Settings, phone: Phone, directory: DirectoryDependencies
    ) {
        let follow: @MainActor () -> Void = { [weak accounts, weak settings, weak phone] in
            let device = phone?.calls.current?.speaker ?? settings?[text: "tone-device"] ?? ""
            accounts?.setDevices(playback: device == "default" ? "" : device, capture: "")
        }
        settings.follow("tone-device", follow)
        phone.calls.observe(by: accounts) { if $0 == .calls { follow() } }
        let callers = KnownCallers(
            contacts: directory.contacts, history: directory.history, clock: MainLoopScheduler())
        accounts.isKnown = { await callers.knows($0) }
    }
}
