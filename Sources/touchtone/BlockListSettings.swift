// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import TouchtoneCore
import TouchtoneNumbers

/// Applies the settings for calls that nobody wants, and saves the block list.
@MainActor
enum BlockListSettings {
    private static let key = "blocked-callers"
    private static let hidden = "hidden-callers"
    private static let unknown = "unknown-callers"
    /// The key of versions that could only decline unknown callers.
    private static let older = "sip-strangers"

    static func follow(
        _ settings: Settings, calls: CallManager, library: PhoneNumberLibrary,
        region: @escaping @MainActor () -> String
    ) {
        let list = calls.blockList
        list.international = { number in
            DialRules(form: .international) { library.outgoing($0, form: $1, region: region()) }
                .apply(to: number)
        }
        let rules = calls.callers
        for name in [unknown, older] where settings.has(unknown) {
            settings.follow(name) { [weak settings] in
                guard let settings else { return }
                rules.unknown = .ofUnknown(settings[text: unknown], older: settings[text: older])
            }
        }
        // An older schema has neither.
        guard settings.has(key), settings.has(hidden) else { return }
        settings.follow(key) { [weak settings] in
            guard let settings else { return }
            list.save = nil
            if settings.isWritable(key) { list.save = { [weak settings] in settings?[list: key] = $0 } }
            list.entries = settings[list: key]
        }
        settings.follow(hidden) { [weak settings] in
            if let settings { rules.hidden = CallerTreatment(rawValue: settings[text: hidden]) ?? .ring }
        }
    }
}
