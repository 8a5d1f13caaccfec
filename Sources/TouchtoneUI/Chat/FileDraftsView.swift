// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The files that are about to be sent, over the message field: a small picture or an icon, the name and the size of each.
@MainActor
final class FileDraftsView {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 2, style: "file-drafts")
    /// Called with the index of the file that the user removes.
    var onRemove: (@MainActor (Int) -> Void)?
    private(set) var isEmpty = true
    private let title = Widget.label(isCut: true, style: "correction-text")
    private let rows = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 2)
    /// The number of times that other files were shown.
    private var turn = 0

    /// The greatest height of the list, and the greatest sides of the pictures of one and of several files, in layout pixels.
    private static let (height, side, smallSide): (gint, Int, Int) = (150, 120, 40)

    init() {
        let scrolled = Widget.scroller(rows)
        gtk_scrolled_window_set_max_content_height(scrolled.cast(), Self.height)
        gtk_scrolled_window_set_propagate_natural_height(scrolled.cast(), 1)
        widget.add(title)
        widget.add(scrolled)
        gtk_widget_show_all(widget)
        gtk_widget_set_no_show_all(widget, 1)
        widget.isVisible = false
    }

    func show(_ files: [FileDraft]) {
        turn += 1
        isEmpty = files.isEmpty
        gtk_container_foreach(rows.cast(), { child, _ in gtk_widget_destroy(child) }, nil)
        for (index, file) in files.enumerated() {
            let row = row(of: file, index, side: files.count == 1 ? Self.side : Self.smallSide)
            rows.add(row)
            gtk_widget_show_all(row)
        }
        widget.isVisible = !isEmpty
        guard !isEmpty else { return }
        title.text = localizedPlural("{count} file to send", "{count} files to send", files.count)
        widget.announce(title.text)
    }

    private func row(of file: FileDraft, _ index: Int, side: Int) -> Widget {
        let row = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8)
        let image = Widget.icon(file.isPicture ? "image-x-generic-symbolic" : "text-x-generic-symbolic")
        row.add(image)
        let text = "\(PlainText.line(file.name, maximum: 120)) · \(localizedSize(file.size))"
        let label = Widget.cutLabel(text, style: "file-draft")
        gtk_label_set_ellipsize(label.cast(), PANGO_ELLIPSIZE_MIDDLE)
        gtk_widget_set_tooltip_text(label, text)
        row.add(label, grows: true)
        let name = localized("Remove {name}", ["name": PlainText.line(file.name, maximum: 40)])
        let remove = Widget.iconButton("window-close-symbolic", name: name, tip: name)
        gtk_widget_set_valign(remove, GTK_ALIGN_CENTER)
        Signal.connect(remove, "clicked") { [weak self] in self?.onRemove?(index) }
        row.add(remove)
        if file.isPicture { load(file, into: image, side: side) }
        return row
    }

    private func load(_ file: FileDraft, into image: Widget, side: Int) {
        let (turn, scale) = (turn, Int(gtk_widget_get_scale_factor(widget)))
        Task { [weak self] in
            let picture =
                switch file.source {
                case .path(let path): await PictureLoader.load(path: path, maximumSide: side, scale: scale)
                case .content(let bytes): await PictureLoader.load(bytes, maximumSide: side, scale: scale)
                }
            // Otherwise, the row is gone.
            guard let self, turn == self.turn, let picture else { return }
            gtk_image_set_from_surface(image.cast(), picture.surface)
        }
    }
}
