// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// What the window offers where no other program takes a number: the exchange inside this one, which takes any.
///
/// It points at the display, which says why. The keys of the phone go on working, and put it away.
@MainActor
final class PracticeExchangePrompt {
    private let display: Widget
    private let settings: Settings
    private var popover: Widget?

    /// - Parameter display: where the phone says what is the matter.
    init(over display: Widget, settings: Settings) {
        self.display = display
        self.settings = settings
    }

    /// Makes the offer where the phone says that nobody takes the number, and takes it back where it says another thing.
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
        let text = Widget.label(localized("No other app on this computer can dial phone numbers."))
        gtk_label_set_line_wrap(text.cast(), 1)
        gtk_label_set_max_width_chars(text.cast(), 28)
        let use = Widget.button(localized("Use the Practice Exchange"), style: "suggested-action")
        let box = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8)
        gtk_container_set_border_width(box.cast(), 12)
        box.add(text)
        box.add(use)
        gtk_container_add(popover.cast(), box)
        gtk_widget_show_all(box)
        popover.setAccessible(name: localized("No other phone app"))
        gtk_popover_set_position(popover.cast(), GTK_POS_BOTTOM)
        gtk_widget_set_can_default(use, 1)
        gtk_popover_set_default_widget(popover.cast(), use)
        Signal.connect(use, "clicked") { [settings] in
            // The number waits for another Dial: nothing is dialled by itself.
            settings[text: "dial-line"] = "practice"
            gtk_popover_popdown(popover.cast())
        }
        return popover
    }
}
