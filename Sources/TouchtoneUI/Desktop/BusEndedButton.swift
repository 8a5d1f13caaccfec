// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The button in the header bar that is visible once the desktop's message bus has ended, and says what is missing.
///
/// Its popover opens by itself once. It takes no focus and no click, because a call may be in progress.
@MainActor
final class BusEndedButton {
    private let button: Widget
    private lazy var popover = makePopover()
    private let text = localized(
        "The desktop’s message bus has ended. Calls and messages go on, but notifications, saved passwords, changes of preferences and links don’t work until you restart Touchtone."
    )

    init(_ button: Widget) {
        self.button = button
        Signal.connect(button, "clicked") { [weak self] in self?.explain() }
    }

    func show() {
        button.setTip(text)
        button.isVisible = true
        explain()
    }

    private func explain() { gtk_popover_popup(popover.cast()) }

    private func makePopover() -> Widget {
        let popover: Widget = gtk_popover_new(button)
        let label = Widget.wrappedLabel(text, style: "ask")
        gtk_widget_set_size_request(label, TransientPopover.width, -1)
        gtk_container_add(popover.cast(), label)
        gtk_popover_set_modal(popover.cast(), 0)
        gtk_widget_show(label)
        return popover
    }
}
