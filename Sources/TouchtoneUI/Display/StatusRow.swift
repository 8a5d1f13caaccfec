// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The first row of the display: the line's name at the left, and the status at the right.
///
/// The status has the room that it needs; the name is cut, or left out if hardly any room is left.
@MainActor
final class StatusRow {
    private let line, status: DotLabel
    private let size: DisplaySize

    /// The least distance of both texts, and the least room for a name that is cut, in dots.
    private static let (gap, least) = (6.0, 29.0)

    /// - Parameter line: The label of the line's name; it is below that of the status, and as large.
    init(line: Widget, status: Widget, size: DisplaySize) {
        self.size = size
        self.line = DotLabel(line, at: .left, size: size)
        self.status = DotLabel(status, at: .right, size: size)
        self.status.below = self.line
        self.line.hasGrid = true
        self.line.room = { [weak self] in self?.rooms.line ?? 0..<0 }
        self.status.room = { [weak self] in self?.rooms.status ?? 0..<0 }
    }

    /// Shows the name of a line; without one, the status begins at the left.
    func show(line text: String) {
        line.show(text)
        refit()
    }

    func show(status text: String) {
        status.show(text)
        refit()
    }

    /// Both texts share the row, so that a new text changes the room of the other one, too.
    func refit() {
        line.hasGrid = !line.isPlain && !status.isPlain
        for label in [line, status] {
            label.fit()
            gtk_widget_queue_draw(label.widget)
        }
    }

    /// The parts of the row for both texts, in layout pixels.
    private var rooms: (line: Range<Double>, status: Range<Double>) {
        let row = Double(gtk_widget_get_allocated_width(status.widget))
        let pitch = size.metrics(on: status.widget).pitch
        if line.text.isEmpty { return (0..<0, 0..<min(row, max(status.width, 0))) }
        if status.text.isEmpty { return (0..<row, row..<row) }
        let start = max(0, ((row - status.width) / pitch).rounded(.down) * pitch)
        let free = start - Self.gap * pitch
        let fits = free >= min(line.width, Self.least * pitch)
        return (0..<(fits ? free : 0), start..<row)
    }
}
