// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The delivery status of a sent message, as a small icon.
///
/// A clock means waiting, a tick sent, two ticks delivered, two coloured ticks read, and an exclamation mark failed.
@MainActor
final class DeliveryStatusIcon {
    let widget: Widget = gtk_drawing_area_new()
    private var state = MessageState.received

    init() {
        widget.setIconSize(16, 10)
        gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
        gtk_widget_set_no_show_all(widget, 1)
        widget.set(style: "state-mark", true)
        Signal.connectDraw(widget) { [weak self] in self?.draw($0) }
    }

    /// Shows a state; the icon is hidden for received messages.
    func show(_ state: MessageState) {
        guard state != self.state else { return }
        self.state = state
        widget.isVisible = state != .received
        widget.set(style: "read", state == .read)
        let isFailed = if case .failed = state { true } else { false }
        widget.set(style: "failed", isFailed)
        gtk_widget_set_tooltip_text(widget, state.word)
        gtk_widget_queue_draw(widget)
    }

    private func draw(_ cairo: OpaquePointer) {
        widget.takePen(cairo, width: 1.4)
        cairo_scale(cairo, widget.textScale, widget.textScale)
        switch state {
        case .received: return
        case .waiting:
            cairo_arc(cairo, 6, 5, 4, 0, 2 * .pi)
            cairo_move_to(cairo, 6, 2.8)
            cairo_line_to(cairo, 6, 5)
            cairo_line_to(cairo, 7.6, 6)
        case .sent: tick(cairo, at: 2)
        case .delivered, .read:
            tick(cairo, at: 1)
            tick(cairo, at: 5.5)
        case .failed:
            cairo_move_to(cairo, 6, 1)
            cairo_line_to(cairo, 6, 6)
            cairo_move_to(cairo, 6, 8.6)
            cairo_line_to(cairo, 6, 8.8)
        }
        cairo_stroke(cairo)
    }

    private func tick(_ cairo: OpaquePointer, at x: Double) {
        cairo_move_to(cairo, x, 5.5)
        cairo_line_to(cairo, x + 2.5, 8)
        cairo_line_to(cairo, x + 7.5, 2)
    }
}

extension ChatMessage {
    /// The state of the text that is shown: a message whose correction has not been sent is waiting.
    var shownState: MessageState {
        if case .failed = state { return state }
        return correction == nil ? state : .waiting
    }
}

extension MessageState {
    /// The name of the state; empty for a received message.
    var word: String {
        switch self {
        case .received: ""
        case .waiting: localizedIn("state of a message", "waiting for a connection")
        case .sent: localizedIn("state of a message", "sent")
        case .delivered: localizedIn("state of a message", "delivered")
        case .read: localizedIn("state of a message", "read")
        case .failed: localizedIn("state of a message", "not sent")
        }
    }
}
