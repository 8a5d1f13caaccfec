// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The phone below its header: display, soft keys, keypad and grille, whose sizes follow that of the window.
///
/// Its minimum is that of the lowest keys, whatever it shows. The parts lie in an overlay, because a container would
/// request as much as its content has now, and the window could not become smaller again.
@MainActor
final class PhoneColumn {
    /// The overlay with the parts, to be placed in the window; other widgets may be laid over them.
    let widget: Widget
    private let parts: Parts
    private let base, column: Widget
    private var sizes: PhoneSizes?

    struct Parts {
        /// The widget with the display, the soft keys and the keypad.
        let set: Widget
        let grille: Widget
        let display: DisplayView
        /// The place of the soft keys, and of the keys of a call.
        let softKeys: Widget
        let keypad: KeypadView
    }

    init(_ parts: Parts) {
        self.parts = parts
        widget = gtk_overlay_new()
        base = Widget.box(GTK_ORIENTATION_VERTICAL)
        column = Widget.box(GTK_ORIENTATION_VERTICAL, style: "column")
        for part in [parts.set, parts.grille] { gtk_container_add(column.cast(), part) }
        gtk_widget_set_vexpand(base, 1)
        gtk_container_add(widget.cast(), base)
        gtk_overlay_add_overlay(widget.cast(), column)
        for part in [base, column, widget] { gtk_widget_show(part) }
        Signal.connectPlace(widget) { [weak self] in self?.place(of: $0) }
        apply(PhoneSizes(width: 360, height: Self.usualHeight, textScale: 1))
        request()
        widget.followTextScale { [weak self] _ in self?.request() }
    }

    /// The height in which the window opens at text scale 1, below the header.
    private static let usualHeight = 604

    /// The height of the window in which all texts have their size, with the header.
    var windowHeight: Int {
        let height = PhoneSizes.comfortableHeight(textScale: widget.textScale)
        return max(Self.usualHeight, height) + Self.header
    }

    /// The height of the header, in pixels.
    private static let header = 44

    private func request() {
        let least = PhoneSizes.leastHeight(textScale: widget.textScale)
        gtk_widget_set_size_request(base, 360, gint(least))
        gtk_widget_queue_resize(widget)
    }

    /// Sets the sizes for the room that the window has, and returns all of it as the place of the parts.
    private func place(of part: Widget) -> GdkRectangle? {
        guard part == column else { return nil }
        let (width, height) = (
            gtk_widget_get_allocated_width(widget), gtk_widget_get_allocated_height(widget)
        )
        guard width > 1, height > 1 else { return nil }
        apply(PhoneSizes(width: Int(width), height: Int(height), textScale: widget.textScale))
        setSoftKeys()
        // GTK expects that a widget is measured before its size is set.
        var (least, natural) = (GtkRequisition(), GtkRequisition())
        gtk_widget_get_preferred_size(column, &least, &natural)
        return GdkRectangle(x: 0, y: 0, width: width, height: height)
    }

    private func apply(_ sizes: PhoneSizes) {
        guard sizes != self.sizes else { return }
        self.sizes = sizes
        Self.set(style: "wide", sizes.factor, of: PhoneSizes.factors, on: column)
        gtk_widget_set_size_request(parts.set, gint(sizes.width), -1)
        gtk_box_set_spacing(parts.set.cast(), gint(sizes.gap))
        parts.display.setSize(
            factor: sizes.factor, spacing: sizes.rowGap, ignoresTextScale: sizes.ignoresTextScale)
        parts.keypad.set(sizes)
        setSoftKeys()
    }

    /// Sets the sizes of the soft keys and of those that replace them in a call, which are made when there is one.
    private func setSoftKeys() {
        guard let sizes else { return }
        gtk_widget_set_size_request(parts.softKeys, -1, gint(sizes.soft))
        for row in parts.softKeys.children { gtk_box_set_spacing(row.cast(), gint(sizes.columnGap)) }
    }

    /// Gives a widget the classes of a factor in the style sheet, and takes those of the other factors away; 1 has none.
    static func set(style name: String, _ factor: Double, of factors: [Double], on widget: Widget) {
        for other in factors where other != 1 {
            widget.set(style: "\(name)-\(Int((other * 100).rounded()))", other == factor)
        }
        widget.set(style: name, factor != 1)
    }
}
