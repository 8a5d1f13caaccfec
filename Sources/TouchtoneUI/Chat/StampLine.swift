// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The line above a message with its sender, its time and its state: on the balloon’s side in a wide column, and in the
/// middle of one as wide as a phone.
@MainActor
final class StampLine {
    var widget: Widget { host.widget }
    var isLeft = true {
        didSet { if isLeft != oldValue { gtk_widget_queue_allocate(widget) } }
    }
    private let host: ListContainer
    private let line = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 4, style: "stamp-line")
    private let stamp = Widget.label(style: "stamp")
    private let mark = DeliveryStatusIcon()
    private var shownColor: NicknameColor?

    /// The width of the widest narrow column, in layout pixels at the text scale 1.
    private static let narrow = 420.0
    /// The length of a text that fits any column, in bytes.
    private static let short = 36
    /// The distance from the edge of a wide column, in layout pixels.
    private static let margin: gint = 20

    init() {
        guard let host = ListContainer() else {
            preconditionFailure("GTK always creates a widget, or terminates the program")
        }
        self.host = host
        line.add(stamp)
        line.add(mark.widget)
        host.insert(line, at: 0)
        host.height = { [line] _ in
            var height: gint = 0
            gtk_widget_get_preferred_height(line, nil, &height)
            return height
        }
        host.place = { [weak self] in self?.place($0) }
        gtk_widget_show_all(widget)
        gtk_widget_set_no_show_all(widget, 1)
    }

    /// - Parameters:
    ///   - full: The tooltip.
    ///   - color: The colour of the sender's nickname; nil for that of all stamps.
    func show(_ text: String, full: String, _ state: MessageState, color: NicknameColor?) {
        stamp.text = text
        // GTK lays out a text that may be cut three times.
        let mayBeCut = text.utf8.count > Self.short || widget.textScale > 1
        gtk_label_set_ellipsize(stamp.cast(), mayBeCut ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE)
        if color != shownColor {
            shownColor.map { stamp.set(style: $0.style, false) }
            color.map { stamp.set(style: $0.style, true) }
            shownColor = color
        }
        gtk_widget_set_tooltip_text(stamp, full)
        mark.show(state)
    }

    private func place(_ allocation: GtkAllocation) {
        let isWide = Double(allocation.width) > Self.narrow * widget.textScale
        let room = isWide ? allocation.width - 2 * Self.margin : allocation.width
        var (place, natural): (GtkAllocation, gint) = (allocation, 0)
        gtk_widget_get_preferred_width(line, nil, &natural)
        place.width = min(natural, max(1, room))
        let rest = allocation.width - place.width
        place.x += !isWide ? rest / 2 : isLeft ? Self.margin : rest - Self.margin
        gtk_widget_size_allocate(line, &place)
    }
}
