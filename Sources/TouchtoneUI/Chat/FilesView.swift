// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The files in a balloon: the pictures of one message side by side, everything else below each other.
@MainActor
final class FilesView: RareView {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: spacing)
    /// Called with the index of a file when the user presses one of its keys, or clicks its picture.
    var onKey: (@MainActor (FileCell.Key, Int) -> Void)?
    /// Called with the place in the sound of a file to which the user moves.
    var onMove: (@MainActor (Duration) -> Void)?
    private var views: [FileView] = []
    /// The boxes of two files each.
    private var pairs: [Widget] = []
    private static let spacing: gint = 6

    /// Returns the greatest side of one of several pictures, in layout pixels.
    static func side(ofOne side: Int, among count: Int) -> Int {
        count > 1 ? (side - Int(spacing)) / 2 : side
    }

    func show(_ cells: [FileCell]) {
        while views.count < cells.count { add() }
        for (index, view) in views.enumerated() {
            let cell = index < cells.count ? cells[index] : nil
            if let cell { view.show(cell) }
            view.widget.isVisible = cell != nil
        }
        for (index, pair) in pairs.enumerated() {
            let both = cells.dropFirst(2 * index).prefix(2)
            pair.isVisible = !both.isEmpty
            let isGrid = both.allSatisfy { ($0.picture ?? $0.thumbnail) != nil && $0.fraction == nil }
            gtk_orientable_set_orientation(
                OpaquePointer(pair), isGrid ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL)
        }
    }

    private func add() {
        let (view, index) = (FileView(), views.count)
        view.onKey = { [weak self] in self?.onKey?($0, index) }
        view.onMove = { [weak self] in self?.onMove?($0) }
        if index.isMultiple(of: 2) {
            let pair = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: Self.spacing)
            widget.add(pair)
            gtk_widget_show(pair)
            pairs.append(pair)
        }
        pairs[index / 2].add(view.widget)
        views.append(view)
    }
}
