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

    /// - Parameter isChosen: Whether the user has chosen it here; otherwise only the desktop can end it.
    func show(isOn: Bool, isChosen: Bool) {
        button.isVisible = isOn
        gtk_widget_set_sensitive(button, isChosen ? 1 : 0)
        button.setTip(
            isChosen
                ? localized("Do Not Disturb is on. Click to turn it off.")
                : localized("Do Not Disturb is on for the desktop"))
    }
}
