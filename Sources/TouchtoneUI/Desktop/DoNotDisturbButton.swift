// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The button in the header bar that is visible while the phone is quiet, and ends that.
@MainActor
final class DoNotDisturbButton {
    var onEnd: (@MainActor () -> Void)?

    private let button: Widget

    init(_ button: Widget) {
        self.button = button
        Signal.connect(button, "clicked") { [weak self] in self?.onEnd?() }
    }

    /// - Parameters:
    ///   - isOnHere: Whether it is on here; otherwise only the desktop can end it.
    ///   - end: The time at which it ends by itself; nil if it does not.
    func show(isOn: Bool, isOnHere: Bool, until end: ChatTime? = nil) {
        button.isVisible = isOn
        gtk_widget_set_sensitive(button, isOnHere ? 1 : 0)
        button.setTip(Self.text(isOnHere: isOnHere, until: end))
    }

    private static func text(isOnHere: Bool, until end: ChatTime?) -> String {
        guard isOnHere else { return localized("Do Not Disturb is on for the desktop") }
        guard let end else { return localized("Do Not Disturb is on. Click to turn it off.") }
        return localized(
            "Do Not Disturb is on until {time}. Click to turn it off.", ["time": LocaleStamps().time(end)])
    }
}
