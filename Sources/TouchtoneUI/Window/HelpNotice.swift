// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A notice in large letters that no line reaches the emergency service whose number was dialled.
///
/// It points at the display, takes no key press or click, and goes with the status that it explains.
@MainActor
final class HelpNotice {
    private let display: Widget
    private var popover: Widget?

    /// Creates the notice without showing it.
    init(over display: Widget) { self.display = display }

    /// Shows the notice if the status is that no line reaches help, and hides it otherwise.
    func show(_ status: PhoneStatus) {
        guard status == .cannotReachHelp else {
            if let popover { gtk_popover_popdown(popover.cast()) }
            return
        }
        let popover = self.popover ?? make()
        self.popover = popover
        gtk_popover_popup(popover.cast())
    }

    private func make() -> Widget {
        let popover: Widget = gtk_popover_new(display)
        let text = Widget.wrappedLabel(localized("This phone cannot reach help now. Use another telephone."))
        text.set(style: "cannot-reach", true)
        let box = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8)
        gtk_widget_set_size_request(box, TransientPopover.width, -1)
        box.set(style: "ask", true)
        box.add(text)
        gtk_container_add(popover.cast(), box)
        gtk_widget_show_all(box)
        popover.setAccessible(name: localized("No emergency calls"))
        gtk_popover_set_position(popover.cast(), GTK_POS_BOTTOM)
        gtk_popover_set_modal(popover.cast(), 0)
        return popover
    }
}
