// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A lock that is open, closed, or closed with a tick: whether what is written is encrypted, and all keys are compared.
@MainActor
final class EncryptionMark {
    enum Look: Hashable {
        case open, closed, verified
    }

    let widget: Widget = gtk_drawing_area_new()
    var look = Look.open {
        didSet { if look != oldValue { dress() } }
    }
    private let side: Double
    /// The side of the square in which the lock is drawn.
    private static let grid = 16.0

    /// - Parameter side: The height and width in layout pixels.
    init(side: Double = grid) {
        self.side = side
        widget.setIconSize(side, side)
        widget.set(style: "lock-mark", true)
        gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
        Signal.connectDraw(widget) { [weak self] in self?.draw($0) }
        dress()
    }

    private func dress() {
        widget.set(style: "encrypted", look != .open)
        gtk_widget_queue_draw(widget)
    }

    private func draw(_ cairo: OpaquePointer) {
        let scale = widget.textScale * side / Self.grid
        cairo_scale(cairo, scale, scale)
        cairo_push_group(cairo)
        widget.takePen(cairo, width: 1.6)
        drawBow(cairo)
        drawBody(cairo)
        cairo_pop_group_to_source(cairo)
        cairo_paint(cairo)
    }

    /// Draws the bow, which stands beside the body of an open lock.
    private func drawBow(_ cairo: OpaquePointer) {
        let isOpen = look == .open
        let x = isOpen ? 11.8 : 8.0
        cairo_move_to(cairo, x - 3, isOpen ? 7.2 : 7.6)
        cairo_line_to(cairo, x - 3, 4.6)
        cairo_arc(cairo, x, 4.6, 3, .pi, 2 * .pi)
        cairo_line_to(cairo, x + 3, isOpen ? 6.2 : 7.6)
        cairo_stroke(cairo)
    }

    private func drawBody(_ cairo: OpaquePointer) {
        let left = look == .open ? 1.6 : 2.8
        cairo_rectangle(cairo, left, 7.6, 10.4, 6.6)
        guard look != .open else { return cairo_stroke(cairo) }
        cairo_fill_preserve(cairo)
        cairo_stroke(cairo)
        // The tick is cut out, so that it is seen in every palette.
        guard look == .verified else { return }
        cairo_set_operator(cairo, CAIRO_OPERATOR_CLEAR)
        cairo_set_line_width(cairo, 1.5)
        cairo_move_to(cairo, 5.2, 10.9)
        cairo_line_to(cairo, 7.2, 12.9)
        cairo_line_to(cairo, 11, 8.9)
        cairo_stroke(cairo)
    }
}
