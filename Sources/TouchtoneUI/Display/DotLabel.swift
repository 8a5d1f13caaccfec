// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A label whose text is drawn in the amber dots of the display, or in plain letters where a script has no dots.
///
/// It is a label for assistive tools, and draws itself. What is too long scrolls once, and is cut at its end then.
@MainActor
final class DotLabel {
    /// The side of the row at which the text stands.
    enum Side {
        case left, right
        /// The left, or the right for a text that runs from right to left.
        case natural
    }

    /// The label, to be placed over its row.
    let widget: Widget
    private(set) var text = ""
    /// Returns the part of the row for the text, in layout pixels from the row's left edge; nil is all of it.
    var room: (@MainActor () -> Range<Double>)?
    /// Whether the label draws the unlit dots of its row.
    var hasGrid = false
    private let side: Side
    private let size: DisplaySize
    private let scroll: ScrollOnce
    private var columns: [UInt16]?
    /// Whether the text has letters without dots.
    var isPlain: Bool { !text.isEmpty && columns == nil }

    /// - Parameter size: The size of the display that the label belongs to.
    init(_ label: Widget, at side: Side, size: DisplaySize = DisplaySize()) {
        (widget, self.side, self.size) = (label, side, size)
        scroll = ScrollOnce(label)
        gtk_label_set_ellipsize(label.cast(), PANGO_ELLIPSIZE_END)
        gtk_widget_set_direction(label, GTK_TEXT_DIR_LTR)
        Signal.connectDraw(label, insteadOfOwn: true) { [weak self] in self?.draw($0) }
        Signal.connectNotify(label, "size-allocate") { [weak self] in self?.fit() }
    }

    func show(_ text: String) {
        guard text != self.text else { return }
        let isSameForm = Self.form(text) == Self.form(self.text)
        self.text = text
        columns = DotLetters.columns(of: text)
        widget.text = text
        gtk_widget_queue_draw(widget)
        // A running clock must not begin the scroll anew each second.
        if !(isSameForm && scroll.isRunning) { scroll.end() }
        fit()
    }

    /// Begins to scroll a text that does not fit, unless it has scrolled already.
    func fit() {
        let room = roomNow
        let missing = width - room.upperBound + room.lowerBound
        isCut = missing > 0 && rowWidth > 1
        setTip()
        guard isCut, !room.isEmpty else { return scroll.end() }
        guard fitted != text else { return }
        fitted = text
        if !scroll.isRunning { scroll.begin(distance: missing, step: metrics.pitch) }
    }

    /// Offers a text that is cut as the tooltip, with that of a label below this one.
    func setTip() {
        let tip = [below, self].compactMap { $0?.isCut == true ? $0?.text : nil }.joined(separator: " · ")
        guard tip != self.tip else { return }
        self.tip = tip
        gtk_widget_set_tooltip_text(widget, tip.isEmpty ? nil : tip)
    }

    /// The label that this one covers, which the pointer cannot reach.
    weak var below: DotLabel?
    private(set) var isCut = false
    private var tip = ""
    var isScrolling: Bool { scroll.isRunning }
    /// The text that has scrolled, or does.
    private var fitted = ""

    /// The width of the whole text, in layout pixels.
    var width: Double {
        if text.isEmpty { return 0 }
        if let columns { return Double(columns.count) * metrics.pitch }
        return PlainLine(text, on: widget, height: metrics.row)?.width ?? 0
    }

    private var metrics: DisplayMetrics { size.metrics(on: widget) }

    private var rowWidth: Double { Double(gtk_widget_get_allocated_width(widget)) }

    private var roomNow: Range<Double> { room?() ?? 0..<max(0, rowWidth) }

    /// Returns a text with all digits alike.
    private static func form(_ text: String) -> String {
        String(text.map { $0.isWholeNumber ? "0" : $0 })
    }

    // MARK: - Drawing

    private func draw(_ cairo: OpaquePointer) {
        let (metrics, colours) = (metrics, DotMatrix.Colours(of: widget))
        let top = (Double(gtk_widget_get_allocated_height(widget)) - metrics.row) / 2
        let grid = DotMatrix(pitch: metrics.pitch, rows: DotLetters.rows, origin: (0, top))
        if hasGrid { grid.drawUnlit(columns: Int(rowWidth / metrics.pitch), colours, on: cairo) }
        let room = roomNow
        guard !text.isEmpty, room.upperBound - room.lowerBound >= metrics.pitch else { return }
        cairo_save(cairo)
        // The glow and the accents of plain letters may reach beyond the row.
        cairo_rectangle(
            cairo, room.lowerBound - metrics.pitch, top - 4,
            room.upperBound - room.lowerBound + 2 * metrics.pitch,
            metrics.row + 8)
        cairo_clip(cairo)
        if let columns {
            draw(columns, in: room, top: top, metrics, colours, on: cairo)
        } else {
            PlainLine(text, on: widget, height: metrics.row)?.draw(
                in: room, top: top, at: side, movedBy: scroll.isRunning ? scroll.offset : nil, on: cairo)
        }
        cairo_restore(cairo)
    }

    private func draw(
        _ columns: [UInt16], in room: Range<Double>, top: Double, _ metrics: DisplayMetrics,
        _ colours: DotMatrix.Colours, on cairo: OpaquePointer
    ) {
        // All dots stand in the places of the row's grid.
        let first = Int((room.lowerBound / metrics.pitch).rounded(.up))
        let count = Int(room.upperBound / metrics.pitch) - first
        var shown = columns[...]
        if columns.count > count {
            if scroll.isRunning {
                shown = columns.dropFirst(Int(scroll.offset / metrics.pitch)).prefix(count)
            } else {
                let ellipsis = DotLetters.ellipsis()
                shown = columns[..<DotLetters.cut(columns, to: count - ellipsis.count)] + ellipsis
            }
        }
        let start = side == .right ? first + max(0, count - shown.count) : first
        DotMatrix(
            pitch: metrics.pitch, rows: DotLetters.rows, origin: (Double(start) * metrics.pitch, top)
        ).draw(shown, colours, on: cairo)
    }
}
