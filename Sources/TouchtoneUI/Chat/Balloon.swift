// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The balloon around a message: it has a tail, and fits its text up to a width.
@MainActor
final class Balloon {
    struct Look: Hashable {
        /// Whether the user sent the message: the balloon is orange if so, aqua otherwise.
        var isSent = false
        /// Whether the balloon and its tail are at the left.
        var isLeft = true
        var isFound = false
        /// Whether the message was retracted: of the balloon, the outline is left.
        var isDeleted = false
        /// Whether the message is still being typed: the balloon is dimmed.
        var isLive = false
        /// Whether there is no balloon, as around emoji alone.
        var isBare = false
        /// Whether the balloon joins the ones above and below, as the parts of a long message do.
        var joinsAbove = false
        var joinsBelow = false
    }

    /// The row, which is as wide as the list.
    var widget: Widget { host.widget }
    let content = Widget.box(GTK_ORIENTATION_VERTICAL, style: "balloon")
    var look = Look() {
        didSet { if look != oldValue { dress() } }
    }
    /// Draws what is between the balloon and its content.
    var ground: (@MainActor (OpaquePointer) -> Void)?
    /// The text in the content, which wraps at the greatest width.
    var text: Widget?
    /// A widget beside the balloon, at its lower end.
    var aside: Widget? {
        didSet { if let aside, aside != oldValue { host.insert(aside, at: 1) } }
    }
    private let host: ListContainer
    private static let gap: gint = 6

    init() {
        guard let host = ListContainer() else {
            preconditionFailure("GTK always creates a widget, or terminates the program")
        }
        self.host = host
        host.insert(content, at: 0)
        host.height = { [weak self] in self?.height(for: $0) ?? 0 }
        host.place = { [weak self] in self?.place($0) }
        let content = content
        host.focus = { gtk_widget_child_focus(content, $0) != 0 }
        Signal.connectDraw(content) { [weak self] in
            self?.draw($0)
            self?.ground?($0)
        }
        dress()
    }

    private func dress() {
        content.set(style: "sent", look.isSent)
        content.set(style: "received", !look.isSent)
        content.set(style: "deleted", look.isDeleted)
        content.set(style: "live", look.isLive)
        content.set(style: "bare", look.isBare)
        content.set(style: "left", look.isLeft)
        content.set(style: "right", !look.isLeft)
        content.set(style: "joined-above", look.joinsAbove)
        content.set(style: "joined-below", look.joinsBelow)
        gtk_widget_queue_draw(content)
    }

    /// Returns the greatest width of a balloon in a row: three quarters of the row, and no more than is read with ease.
    static func maximumWidth(inRowOf width: Int, textScale: Double) -> Int {
        min(width * 3 / 4, Int(520 * textScale))
    }

    private func contentWidth(in width: gint) -> gint {
        let maximum = gint(Self.maximumWidth(inRowOf: Int(width), textScale: widget.textScale))
        if let text {
            var padding = GtkBorder()
            let style = gtk_widget_get_style_context(content)
            gtk_style_context_get_padding(style, gtk_style_context_get_state(style), &padding)
            MessageLabel.setWidth(maximum - gint(padding.left + padding.right), of: text)
        }
        // All parts of one message have the same width.
        guard !look.joinsAbove, !look.joinsBelow else { return maximum }
        var (least, natural): (gint, gint) = (0, 0)
        gtk_widget_get_preferred_width(content, &least, &natural)
        return max(min(natural, maximum), min(least, width))
    }

    private func height(for width: gint) -> gint {
        var height: gint = 0
        gtk_widget_get_preferred_height_for_width(content, contentWidth(in: max(1, width)), nil, &height)
        return height
    }

    private func place(_ allocation: GtkAllocation) {
        var place = allocation
        place.width = contentWidth(in: allocation.width)
        if !look.isLeft { place.x += allocation.width - place.width }
        gtk_widget_size_allocate(content, &place)
        if let aside, aside.isVisible { self.place(aside, beside: place, in: allocation) }
    }

    private func place(_ aside: Widget, beside balloon: GtkAllocation, in row: GtkAllocation) {
        var (least, natural) = (GtkRequisition(), GtkRequisition())
        gtk_widget_get_preferred_size(aside, &least, &natural)
        var place = row
        place.width = max(least.width, min(natural.width, row.width - balloon.width - Self.gap))
        place.x =
            look.isLeft ? balloon.x + balloon.width + Self.gap : balloon.x - Self.gap - place.width
        place.height = natural.height
        place.y = balloon.y + balloon.height - place.height
        gtk_widget_size_allocate(aside, &place)
    }

    // MARK: - Drawing

    private static let radius = 15.0
    private static let tail = 6.0
    /// The opacity of a dimmed balloon.
    private static let dimmed = 0.3

    private func draw(_ cairo: OpaquePointer) {
        let width = Double(gtk_widget_get_allocated_width(content))
        let height = Double(gtk_widget_get_allocated_height(content))
        guard let style = gtk_widget_get_style_context(content) else { return }
        cairo_save(cairo)
        // The outline has its tail at the left, so mirror it for a balloon at the right.
        if !look.isLeft {
            cairo_translate(cairo, width, 0)
            cairo_scale(cairo, -1, 1)
        }
        outline(cairo, width: width, height: height)
        if look.isDeleted {
            drawOutline(cairo, style)
        } else if !look.isBare {
            fill(cairo, style, height: height)
        }
        if look.isFound {
            var ring = GdkRGBA()
            gtk_style_context_lookup_color(style, "panel_text", &ring)
            gdk_cairo_set_source_rgba(cairo, &ring)
            cairo_set_line_width(cairo, 4)
            cairo_clip_preserve(cairo)
            cairo_stroke(cairo)
        }
        cairo_new_path(cairo)
        cairo_restore(cairo)
    }

    private func drawOutline(_ cairo: OpaquePointer, _ style: UnsafeMutablePointer<GtkStyleContext>) {
        var colour = GdkRGBA()
        gtk_style_context_lookup_color(style, look.isSent ? "sent_lo" : "received_lo", &colour)
        cairo_save(cairo)
        cairo_set_source_rgba(cairo, colour.red, colour.green, colour.blue, 0.08)
        cairo_fill_preserve(cairo)
        cairo_clip_preserve(cairo)
        cairo_set_source_rgba(cairo, colour.red, colour.green, colour.blue, 0.7)
        // Half of it is outside of the clip.
        cairo_set_line_width(cairo, 2)
        cairo_set_dash(cairo, [4, 3], 2, 0)
        cairo_stroke_preserve(cairo)
        cairo_restore(cairo)
    }

    private func fill(
        _ cairo: OpaquePointer, _ style: UnsafeMutablePointer<GtkStyleContext>, height: Double
    ) {
        let name = look.isSent ? "sent" : "received"
        let gradient = cairo_pattern_create_linear(0, 0, 0, height)
        defer { cairo_pattern_destroy(gradient) }
        for (stop, colour) in [(0.0, "\(name)_hi"), (1.0, "\(name)_lo")] {
            var found = GdkRGBA()
            gtk_style_context_lookup_color(style, colour, &found)
            let alpha = look.isLive ? found.alpha * Self.dimmed : found.alpha
            cairo_pattern_add_color_stop_rgba(gradient, stop, found.red, found.green, found.blue, alpha)
        }
        cairo_set_source(cairo, gradient)
        cairo_fill_preserve(cairo)
        guard look.isLive else { return }
        // Dimmed, it would have no edge that is seen in high contrast.
        cairo_clip_preserve(cairo)
        var edge = GdkRGBA()
        gtk_style_context_lookup_color(style, "\(name)_lo", &edge)
        gdk_cairo_set_source_rgba(cairo, &edge)
        // Half of it is outside of the clip.
        cairo_set_line_width(cairo, 2)
        cairo_stroke_preserve(cairo)
    }

    private func outline(_ cairo: OpaquePointer, width: Double, height: Double) {
        let left = Self.tail
        let radius = min(Self.radius, (width - left) / 2, height / 2)
        let (top, bottom) = (look.joinsAbove ? 0 : radius, look.joinsBelow ? 0 : radius)
        cairo_new_path(cairo)
        cairo_move_to(cairo, left, top)
        if top > 0 { cairo_arc(cairo, left + top, top, top, .pi, 1.5 * .pi) }
        if top > 0 {
            cairo_arc(cairo, width - top, top, top, 1.5 * .pi, 2 * .pi)
        } else {
            cairo_line_to(cairo, width, 0)
        }
        guard bottom > 0 else {
            cairo_line_to(cairo, width, height)
            cairo_line_to(cairo, left, height)
            return cairo_close_path(cairo)
        }
        cairo_arc(cairo, width - bottom, height - bottom, bottom, 0, 0.5 * .pi)
        // Draw the tail: along the bottom edge to its tip, and back up in a curve.
        cairo_line_to(cairo, left + 12, height)
        cairo_curve_to(cairo, left + 7, height, left + 4, height - 1, left + 2, height - 3)
        cairo_curve_to(cairo, left - 1, height - 1, left - 4, height, 0, height)
        cairo_curve_to(cairo, left - 3, height - 2, left, height - 7, left, height - 13)
        cairo_close_path(cairo)
    }
}
