// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A popover that explains a status of the phone, and goes with it.
///
/// It points at the display. The phone's keys still work, and end the status.
@MainActor
final class StatusNotice {
    private let status: PhoneStatus
    private let display: Widget
    private let content: Content
    private var popover: Widget?

    private struct Content {
        /// The name for assistive tools.
        let name: String
        let text: String
        var isLarge = false
        var offer: Offer?
    }

    /// A button that offers a way out.
    private struct Offer {
        let verb: String
        /// Whether the user may accept; the notice is not shown otherwise.
        let isPossible: @MainActor () -> Bool
        let accept: @MainActor () -> Void
    }

    private init(of status: PhoneStatus, over display: Widget, _ content: Content) {
        (self.status, self.display, self.content) = (status, display, content)
    }

    /// Creates the notice that no line reaches the emergency service dialled; it takes no key press or click.
    static func noHelp(over display: Widget) -> StatusNotice {
        StatusNotice(
            of: .cannotReachHelp, over: display,
            Content(
                name: localized("No emergency calls"),
                text: localized("This phone cannot reach help now. Use another telephone."), isLarge: true))
    }

    /// Creates the notice that no other app handles `tel:` links, which offers the practice exchange.
    static func noTelHandler(over display: Widget, settings: Settings) -> StatusNotice {
        let offer = Offer(
            verb: localized("Use the Practice Exchange"), isPossible: { settings.isWritable("dial-line") }
        ) {
            // The user presses Dial again, because nothing is dialled automatically.
            settings[text: "dial-line"] = "practice"
        }
        return StatusNotice(
            of: .noTelHandler, over: display,
            Content(
                name: localized("No other phone app"),
                text: localized("No other app on this computer can dial phone numbers."), offer: offer))
    }

    /// Shows the notice for its status, and hides it for any other.
    func show(_ status: PhoneStatus) {
        guard status == self.status, content.offer?.isPossible() != false else {
            if let popover { gtk_popover_popdown(popover.cast()) }
            return
        }
        let popover = self.popover ?? make()
        self.popover = popover
        gtk_popover_popup(popover.cast())
    }

    private func make() -> Widget {
        let popover: Widget = gtk_popover_new(display)
        let text = Widget.wrappedLabel(content.text)
        text.set(style: "cannot-reach", content.isLarge)
        let box = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8, style: "ask")
        gtk_widget_set_size_request(box, TransientPopover.width, -1)
        box.add(text)
        gtk_container_add(popover.cast(), box)
        if let offer = content.offer { add(offer, to: box, of: popover) }
        gtk_widget_show_all(box)
        popover.setAccessible(name: content.name)
        gtk_popover_set_position(popover.cast(), GTK_POS_BOTTOM)
        gtk_popover_set_modal(popover.cast(), content.offer == nil ? 0 : 1)
        return popover
    }

    private func add(_ offer: Offer, to box: Widget, of popover: Widget) {
        let key = Widget.wrappedButton(offer.verb, style: "suggested-action")
        box.add(key)
        gtk_widget_set_can_default(key, 1)
        gtk_popover_set_default_widget(popover.cast(), key)
        Signal.connect(key, "clicked") {
            offer.accept()
            gtk_popover_popdown(popover.cast())
        }
    }
}
