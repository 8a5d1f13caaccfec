// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore
import TouchtoneEngine
import TouchtoneHelpers
import TouchtoneSIP
import TouchtoneStore
import TouchtoneUI

/// The composition of the SIP accounts and the engine of calls.
@MainActor
enum SIPComposition {
    /// Creates the engine, which does not run before somebody needs it.
    static func makeEngine(_ settings: Settings) -> CallEngine {
        CallEngine(
            CallEngine.Dependencies(
                settings: settings, clock: MainLoopScheduler(), launcher: ProgramLauncher("touchtone-sip"),
                userAgent: "Touchtone/\(Main.version)"))
    }

    /// Creates the accounts, and adds their lines to the registry.
    static func make(
        engine: CallEngine, settings: Settings, lines: LineRegistry, resources: Resources,
        rules: @escaping @MainActor (String) -> @MainActor () -> DialRules
    ) -> SIPAccounts {
        let passwords = KeyringPasswordStore(service: "sip")
        var dependencies = SIPAccounts.Dependencies(
            settings: settings,
            open: { id throws(GLibError) in try resources.accountSettings(id) },
            lines: lines, passwords: passwords, clock: MainLoopScheduler())
        dependencies.makeRules = rules
        return SIPAccounts(dependencies, engine: engine)
    }

    /// Connects the accounts to the phone's sound devices, contacts and call history.
    static func connect(
        _ accounts: SIPAccounts, engine: CallEngine, settings: Settings, phone: Phone,
        directory: DirectoryDependencies
    ) {
        let follow: @MainActor () -> Void = { [weak engine, weak settings, weak phone] in
            let device = phone?.calls.current?.speaker ?? settings?[text: "tone-device"] ?? ""
            let microphone = settings?[text: "microphone-device"] ?? ""
            let ringing = settings?[text: "ring-device"] ?? ""
            engine?.setDevices(
                playback: device == "default" ? "" : device,
                capture: microphone == "default" ? "" : microphone,
                ringing: ringing == "default" ? "" : ringing)
        }
        for key in ["tone-device", "microphone-device", "ring-device"] { settings.follow(key, follow) }
        for key in ["microphone-gain", "noise-suppression"] {
            settings.follow(key) { [weak engine, weak settings] in
                guard let settings else { return }
                engine?.setMicrophone(
                    gain: settings[number: "microphone-gain"],
                    suppressesNoise: settings[flag: "noise-suppression"])
            }
        }
        phone.calls.observe(by: accounts) { if $0 == .calls { follow() } }
        let known = KnownCallers(
            contacts: directory.contacts, history: directory.history, clock: MainLoopScheduler())
        known.isBuddy = { [weak phone] in phone?.jabber?.isBuddy($0) ?? false }
        phone.calls.callers.knows = { await known.knows($0) }
        accounts.callers = phone.calls.callers
    }
}
