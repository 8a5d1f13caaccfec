// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The large line of the display: a number in segments, or a name in red dots.
@MainActor
final class NumberLine {
    private let label: Widget
    private let fitted: FittedLabel
    private let scroll: ScrollOnce
    private let size: DisplaySize
    private var name: Name?
    private var text = ""

    private struct Name {
        let columns: [UInt16]
        let rows: Int
        let pitch: Double
        let isRightToLeft: Bool

        /// Returns the columns that are seen of a name that is too long: from an offset during a scroll, otherwise up to
        /// an ellipsis.
        func columns(_ offset: Double?, fitting count: Int) -> ArraySlice<UInt16> {
            if let offset {
                let moved = Int(offset / pitch)
                return isRightToLeft
                    ? columns.dropLast(moved).suffix(count) : columns.dropFirst(moved).prefix(count)
            }
            let ellipsis = DotLetters.ellipsis(rows: rows)
            let room = max(0, count - ellipsis.count)
            if isRightToLeft { return ellipsis.reversed() + columns.suffix(room) }
            return columns[..<DotLetters.cut(columns, to: room)] + ellipsis
        }
    }

    /// - Parameter room: The widget whose height limits the text.
    init(_ label: Widget, room: Widget, size: DisplaySize) {
        (self.label, self.size) = (label, size)
        fitted = FittedLabel(label.cast(), room: room, smallest: 0.36)
        scroll = ScrollOnce(label)
        gtk_widget_set_direction(label, GTK_TEXT_DIR_LTR)
        Signal.connectDraw(label, insteadOfOwn: true) { [weak self] in self?.draw($0) }
        Signal.connectNotify(label, "size-allocate") { [weak self] in self?.fit() }
    }

    /// Shows a formatted number, or words in dots.
    func show(_ text: String, areWords: Bool) {
        guard text != self.text || areWords != isInDots else { return }
        self.text = text
        isInDots = areWords
        label.set(style: "name", areWords)
        fitted.isActive = !areWords
        fitted.show(text)
        (name, nameWidth) = (nil, 0)
        scroll.end()
        fit()
        gtk_widget_queue_draw(label)
    }

    private var isInDots = false
    /// Whether the line shows words in a script that is written from right to left.
    var isRightToLeft: Bool {
        guard isInDots, let layout = gtk_label_get_layout(label.cast()) else { return false }
        return pango_layout_get_direction(layout, 0) == PANGO_DIRECTION_RTL
    }
    /// The width for which the name was laid out, in layout pixels.
    private var nameWidth = 0.0

    /// Lays the name out for a new size of the display.
    func refit() {
        nameWidth = 0
        fit()
        gtk_widget_queue_draw(label)
    }

    private func fit() {
        let width = Double(gtk_widget_get_allocated_width(label))
        guard isInDots, width > 1, width != nameWidth else { return }
        nameWidth = width
        let name = layOut(in: width)
        self.name = name
        let missing = Double(name.columns.count) * name.pitch - width
        if missing > 0 { scroll.begin(distance: missing, step: name.pitch) } else { scroll.end() }
    }

    private func layOut(in width: Double) -> Name {
        let metrics = size.metrics(on: label)
        guard let columns = DotLetters.columns(of: text) else {
            let shapes = LetterShapes.columns(of: text, on: label)
            return Name(
                columns: shapes.columns, rows: LetterShapes.rows, pitch: metrics.shapePitch,
                isRightToLeft: shapes.isRightToLeft)
        }
        let pitch = metrics.namePitches.first { Double(columns.count) * $0 <= width } ?? metrics.pitch
        return Name(columns: columns, rows: DotLetters.rows, pitch: pitch, isRightToLeft: false)
    }

    // MARK: - Drawing

    private func draw(_ cairo: OpaquePointer) {
        guard isInDots, let name else { return Segments.draw(label.cast(), with: cairo) }
        let (width, height) = (nameWidth, Double(gtk_widget_get_allocated_height(label)))
        let count = Int(width / name.pitch)
        var shown = name.columns[...]
        if shown.count > count {
            shown = name.columns(scroll.isRunning ? scroll.offset : nil, fitting: count)
        }
        let colours = DotMatrix.Colours(of: label)
        let top = (height - Double(name.rows) * name.pitch) / 2
        DotMatrix(pitch: name.pitch, rows: name.rows, origin: (0, top))
            .drawUnlit(columns: count, colours, on: cairo)
        let start = name.isRightToLeft ? count - shown.count : 0
        DotMatrix(pitch: name.pitch, rows: name.rows, origin: (Double(start) * name.pitch, top))
            .draw(shown, colours, on: cairo)
    }
}
