// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A popover that suggests the practice exchange when no other app handles `tel:` links.
///
/// It points at the display, which shows the reason. The phone's keys still work, and close the popover.
@MainActor
final class PracticeExchangePrompt {
    private let display: Widget
    private let settings: Settings
    private var popover: Widget?

    /// Creates the prompt without showing it.
    ///
    /// - Parameters:
    ///   - display: The display, which the popover points at.
    ///   - settings: The app's settings.
    init(over display: Widget, settings: Settings) {
        self.display = display
        self.settings = settings
    }

    /// Shows the popover if the status is that no app handles `tel:` links, and hides it otherwise.
    func show(_ status: PhoneStatus) {
        guard status == .noTelHandler, settings.isWritable("dial-line") else {
            if let popover { gtk_popover_popdown(popover.cast()) }
            return
        }
        let popover = self.popover ?? make()
        self.popover = popover
        gtk_popover_popup(popover.cast())
    }

    private func make() -> Widget {
        let popover: Widget = gtk_popover_new(display)
        let text = Widget.wrappedLabel(localized("No other app on this computer can dial phone numbers."))
        let use = Widget.button(localized("Use the Practice Exchange"), style: "suggested-action")
        if let label = gtk_bin_get_child(use.cast()) {
            label.wrapText()
            gtk_label_set_xalign(label.cast(), 0.5)
            gtk_label_set_justify(label.cast(), GTK_JUSTIFY_CENTER)
        }
        let box = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8)
        gtk_widget_set_size_request(box, TransientPopover.width, -1)
        box.set(style: "ask", true)
        box.add(text)
        box.add(use)
        gtk_container_add(popover.cast(), box)
        gtk_widget_show_all(box)
        popover.setAccessible(name: localized("No other phone app"))
        gtk_popover_set_position(popover.cast(), GTK_POS_BOTTOM)
        gtk_widget_set_can_default(use, 1)
        gtk_popover_set_default_widget(popover.cast(), use)
        Signal.connect(use, "clicked") { [settings] in
            // The user presses Dial again, because nothing is dialled automatically.
            settings[text: "dial-line"] = "practice"
            gtk_popover_popdown(popover.cast())
        }
        return popover
    }
}
