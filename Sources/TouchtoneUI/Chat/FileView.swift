// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A file in a balloon: its picture, or a card with its name, its state and its keys.
@MainActor
final class FileView {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 6, style: "file")
    /// Called when the user presses a key, or clicks the picture.
    var onKey: (@MainActor (FileCell.Key) -> Void)?
    /// Called with the place in the sound to which the user moves.
    var onMove: (@MainActor (Duration) -> Void)?

    private let picture = Widget.button("", style: "file-picture")
    private let area: Widget = gtk_drawing_area_new()
    private let card = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 10)
    /// The cassette of a sound, built for the first one.
    private var voice: VoiceView?
    private let icon: Widget = gtk_image_new()
    private let name = Widget.label(style: "file-name")
    private let detail = Widget.label(style: "file-detail")
    private let bar: Widget = gtk_progress_bar_new()
    private let keys = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6)
    private var buttons: [(key: FileCell.Key, widget: Widget)] = []
    private var shown: Picture?
    private var cell: FileCell?

    /// The greatest sides of a picture, in layout pixels: the first fits the balloon in the narrowest panel.
    private static let sides = [232, 280, 340, 410, 500]
    /// The width of the balloon around a picture, in layout pixels.
    private static let frame = 32

    /// Returns the greatest side of a picture in a list, in layout pixels: few, as each is decoded anew.
    static func side(inListOf width: Int, textScale: Double) -> Int {
        let room = Balloon.maximumWidth(inRowOf: width, textScale: textScale)
        return sides.last { $0 + frame <= room } ?? sides[0]
    }

    init() {
        gtk_container_remove(picture.cast(), gtk_bin_get_child(picture.cast()))
        gtk_container_add(picture.cast(), area)
        gtk_widget_set_halign(picture, GTK_ALIGN_START)
        Signal.connect(picture, "clicked") { [weak self] in self?.clicked() }
        Signal.connectDraw(area) { [weak self] in self?.draw($0) }
        setUpCard()
        for key in FileCell.Key.allCases {
            let button = Widget.button(key.label, style: "file-key")
            if let name = key.accessibleName { cgtk_widget_set_accessible(button, name, nil) }
            Signal.connect(button, "clicked") { [weak self] in self?.onKey?(key) }
            keys.add(button)
            buttons.append((key, button))
        }
        for part in [picture, card, bar, keys] { widget.add(part) }
        gtk_widget_show_all(widget)
        for part in [picture, card, bar, keys] + buttons.map(\.widget) { gtk_widget_set_no_show_all(part, 1) }
    }

    private func setUpCard() {
        gtk_widget_set_valign(icon, GTK_ALIGN_START)
        gtk_image_set_pixel_size(icon.cast(), 24)
        icon.growIconWithText()
        let lines = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 1)
        // The ending of the name says what it is, so the middle is left out.
        gtk_label_set_ellipsize(name.cast(), PANGO_ELLIPSIZE_MIDDLE)
        gtk_label_set_max_width_chars(name.cast(), 24)
        detail.wrapText(width: 28)
        lines.add(name)
        lines.add(detail)
        card.add(icon)
        card.add(lines, grows: true)
        cgtk_widget_set_accessible(bar, localized("Progress"), nil)
    }

    func show(_ cell: FileCell) {
        self.cell = cell
        shown = cell.picture ?? cell.thumbnail
        picture.isVisible = shown != nil
        card.isVisible = cell.sound == nil && (cell.picture == nil || cell.fraction != nil)
        show(cell.sound)
        if let picture = shown {
            gtk_widget_set_size_request(area, gint(picture.width.rounded()), gint(picture.height.rounded()))
            let action = cell.picture == nil ? localized("Show Picture") : localized("Open Picture")
            cgtk_widget_set_accessible(self.picture, action, cell.name)
            gtk_widget_set_tooltip_text(self.picture, cell.name)
            gtk_widget_queue_draw(area)
        }
        gtk_image_set_from_icon_name(icon.cast(), cell.iconName, GTK_ICON_SIZE_LARGE_TOOLBAR)
        name.text = cell.name
        gtk_widget_set_tooltip_text(name, cell.name)
        detail.text = cell.detail
        detail.isVisible = !cell.detail.isEmpty
        detail.set(style: "problem", cell.isProblem)
        bar.isVisible = cell.fraction != nil
        gtk_progress_bar_set_fraction(bar.cast(), max(0, cell.fraction ?? 0))
        // A picture is opened by a click, and saved by its menu.
        let isHidden =
            cell.sound != nil
            || cell.picture != nil && cell.fraction == nil && !cell.keys.contains(.cancel)
        for (key, button) in buttons { button.isVisible = !isHidden && cell.keys.contains(key) }
        keys.isVisible = !isHidden && !cell.keys.isEmpty
    }

    private func show(_ sound: VoiceView.Content?) {
        guard let sound else {
            voice?.widget.isVisible = false
            return
        }
        let view = voice ?? VoiceView()
        if voice == nil {
            voice = view
            widget.add(view.widget)
            view.onPlay = { [weak self] in
                guard let key = self?.cell?.keys.first(where: { $0 == .play || $0 == .pause }) else { return }
                self?.onKey?(key)
            }
            view.onMove = { [weak self] in self?.onMove?($0) }
        }
        view.show(sound)
        view.widget.isVisible = true
    }

    private func clicked() {
        guard let cell else { return }
        if cell.picture != nil {
            onKey?(.open)
        } else if let key = [FileCell.Key.show, .retry].first(where: { cell.keys.contains($0) }) {
            onKey?(key)
        }
    }

    private func draw(_ cairo: OpaquePointer) {
        guard let shown else { return }
        let (width, height) = (shown.width, shown.height)
        let radius = min(10, width / 2, height / 2)
        cairo_save(cairo)
        cairo_new_path(cairo)
        for (x, y, start) in [
            (width - radius, radius, -0.5), (width - radius, height - radius, 0),
            (radius, height - radius, 0.5), (radius, radius, 1),
        ] {
            cairo_arc(cairo, x, y, radius, start * .pi, (start + 0.5) * .pi)
        }
        cairo_close_path(cairo)
        cairo_clip(cairo)
        cairo_set_source_surface(cairo, shown.surface, 0, 0)
        cairo_paint(cairo)
        cairo_restore(cairo)
    }
}
