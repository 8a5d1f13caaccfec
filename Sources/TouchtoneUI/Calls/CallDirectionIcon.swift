// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// An icon for the kind of a call: an arrow out, in or bouncing off, or a cross for a declined call.
@MainActor
final class CallDirectionIcon {
    let widget: Widget = gtk_drawing_area_new()
    private var kind = PastCall.Kind.outgoing

    init() {
        widget.setIconSize(14, 14)
        gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
        widget.set(style: "call-mark", true)
        Signal.connectDraw(widget) { [weak self] in self?.draw($0) }
    }

    func show(_ kind: PastCall.Kind) {
        guard kind != self.kind else { return }
        self.kind = kind
        gtk_widget_queue_draw(widget)
    }

    private func draw(_ cairo: OpaquePointer) {
        widget.takePen(cairo, width: 1.6)
        let (width, height) = (
            Double(gtk_widget_get_allocated_width(widget)), Double(gtk_widget_get_allocated_height(widget))
        )
        let scale = widget.textScale
        cairo_translate(cairo, (width - 14 * scale) / 2, (height - 14 * scale) / 2)
        cairo_scale(cairo, scale, scale)
        if gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL {
            cairo_translate(cairo, 14, 0)
            cairo_scale(cairo, -1, 1)
        }
        for line in lines {
            for (index, point) in line.enumerated() {
                if index == 0 {
                    cairo_move_to(cairo, point.0, point.1)
                } else {
                    cairo_line_to(cairo, point.0, point.1)
                }
            }
            cairo_stroke(cairo)
        }
    }

    /// The lines of the icon, in a square with sides of 14 pixels at the text scale 1.
    private var lines: [[(Double, Double)]] {
        switch kind {
        case .outgoing: [[(3, 11), (11, 3)], [(5, 3), (11, 3), (11, 9)]]
        case .incoming, .pickedUp: [[(11, 3), (3, 11)], [(3, 5), (3, 11), (9, 11)]]
        case .missed: [[(1.5, 3), (7, 9), (12.5, 3)], [(8, 3), (12.5, 3), (12.5, 7.5)]]
        case .diverted: [[(3, 3), (3, 8), (11, 8)], [(8, 5), (11, 8), (8, 11)]]
        case .declined, .blocked: [[(3, 3), (11, 11)], [(11, 3), (3, 11)]]
        }
    }
}
