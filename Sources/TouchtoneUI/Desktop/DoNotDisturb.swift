// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Whether the phone is to be quiet: by the user's own choice, or because the desktop shows no notifications.
///
/// Calls and messages still appear in the window, and missed calls are counted.
@MainActor
final class DoNotDisturb {
    /// Whether the user has chosen it here.
    var isChosen: Bool {
        get { settings[flag: Self.key] }
        set { settings[flag: Self.key] = newValue }
    }

    private(set) var isOn = false
    private let settings: Settings
    /// GNOME's settings of notifications; nil on desktops without them.
    private let desktop: Settings?
    private let observers = Observers<Void>()

    static let key = "do-not-disturb"
    private static let banners = "show-banners"

    init(_ settings: Settings, desktop: Settings? = try? Settings(schema: "org.gnome.desktop.notifications"))
    {
        self.settings = settings
        self.desktop = desktop.flatMap { $0.has(Self.banners) ? $0 : nil }
        settings.follow(Self.key) { [weak self] in self?.changed() }
        self.desktop?.follow(Self.banners) { [weak self] in self?.changed() }
    }

    /// Calls `body` now and after each change, as long as `owner` exists.
    func follow(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner, body)
        body()
    }

    private func changed() {
        isOn = isChosen || desktop?[flag: Self.banners] == false
        observers.notify(())
    }
}
