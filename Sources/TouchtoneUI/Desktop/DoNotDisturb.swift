// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Whether the phone is to be quiet: by the user's own choice, by the schedule, or because the desktop shows no
/// notifications.
///
/// Calls and messages still appear in the window, and missed calls are counted.
@MainActor
final class DoNotDisturb {
    /// Whether it is on here, chosen or by the schedule, so that it can be turned off here.
    var isOnHere: Bool { isChosen || hours?.isOn == true }
    private(set) var quietness = Quietness.off
    var isOn: Bool { quietness != .off }
    private let settings: Settings
    private let hours: QuietHours?
    /// GNOME's settings of notifications; nil on desktops without them.
    private let desktop: Settings?
    private let observers = Observers<Void>()

    static let key = "do-not-disturb"
    private static let banners = "show-banners"

    init(
        _ settings: Settings, hours: QuietHours? = nil,
        desktop: Settings? = try? Settings(schema: "org.gnome.desktop.notifications")
    ) {
        (self.settings, self.hours) = (settings, hours)
        self.desktop = desktop.flatMap { $0.has(Self.banners) ? $0 : nil }
        settings.follow(Self.key) { [weak self] in self?.changed() }
        self.desktop?.follow(Self.banners) { [weak self] in self?.changed() }
        hours?.observe(by: self) { [weak self] in self?.changed() }
    }

    /// Calls `body` now and after each change, as long as `owner` exists.
    func follow(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner, body)
        body()
    }

    /// Turns it on until the user turns it off, or ends what the user or the schedule has turned on.
    func set(_ isOn: Bool) {
        if isOn { return isChosen = true }
        hours?.dismiss()
        isChosen = false
    }

    /// The time at which it ends by itself; nil if it does not.
    var end: ChatTime? { isChosen || isOnByDesktop ? nil : hours?.end }

    private var isChosen: Bool {
        get { settings[flag: Self.key] }
        set { settings[flag: Self.key] = newValue }
    }

    private var isOnByDesktop: Bool { desktop?[flag: Self.banners] == false }

    private func changed() {
        quietness =
            if hours?.isSuspended == true { .off } else if isChosen || isOnByDesktop { .on } else {
                hours?.isOn == true ? .exceptions : .off
            }
        observers.notify(())
    }
}
