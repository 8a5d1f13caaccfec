// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The shortcuts of the whole desktop that answer, hang up and mute, also while the phone is locked; none of them dials.
@MainActor
final class GlobalShortcuts {
    static let key = "global-shortcuts"

    var onChange: (@MainActor () -> Void)?

    private let settings: Settings
    private let portal: GlobalShortcutsPortal
    private var isFollowing = false
    /// Whether the desktop did not allow them when they were last turned on.
    private var wasRefused = false

    private static let keys: [(key: OutsideKey, text: String)] = [
        (.answer, localizedIn("verb", "Answer")), (.hangUp, localizedIn("key", "Hang up")),
        (.mute, localizedIn("key", "Mute")),
    ]

    init(phone: Phone, settings: Settings, portal: GlobalShortcutsPortal) {
        (self.settings, self.portal) = (settings, portal)
        portal.onPress = { [weak phone] id in
            guard let key = OutsideKey(rawValue: id), Self.keys.contains(where: { $0.key == key }) else {
                return
            }
            phone?.press(key)
        }
        portal.onChange = { [weak self] in self?.changed() }
    }

    /// Follows the setting; the desktop is not asked while it is off.
    func begin() {
        settings.follow(Self.key) { [weak self] in self?.follow() }
    }

    /// Finds out whether the desktop offers shortcuts, for Preferences.
    func look() {
        if portal.state == .unavailable, !settings[flag: Self.key] { portal.begin([]) }
    }

    var isOffered: Bool { portal.state != .unavailable }

    /// The keys as the desktop describes them, or what has become of them.
    var text: String {
        switch portal.state {
        case .on(let keys):
            let told = Self.keys.compactMap { key, text in
                keys[key.rawValue].map { localized("{action}: {name}", ["action": text, "name": $0]) }
            }
            return told.isEmpty
                ? localized("Choose their keys in the desktop’s settings") : told.joined(separator: " · ")
        case .asking: return localized("The desktop asks for their keys")
        case .off, .refused, .unavailable:
            return wasRefused
                ? localized("The desktop does not allow this")
                : localized("Answer, hang up and mute while another window has the keyboard")
        }
    }

    private func follow() {
        let isOn = settings[flag: Self.key]
        if isOn {
            wasRefused = false
            portal.begin(
                Self.keys.map { GlobalShortcutsPortal.Shortcut(id: $0.key.rawValue, description: $0.text) })
        } else if isFollowing {
            portal.end()
        }
        isFollowing = true
    }

    private func changed() {
        if portal.state == .refused, settings[flag: Self.key] {
            wasRefused = true
            // Otherwise the desktop would be asked again at each start.
            settings[flag: Self.key] = false
        }
        onChange?()
    }
}
