// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A round picture of a person; without a picture, the first letter of the name or nothing.
@MainActor
final class Avatar {
    let widget: Widget = gtk_drawing_area_new()
    private var picture: Picture?
    private var letter = ""

    /// `side` is in layout pixels; a circle beside a name in a list grows with the text.
    init(side: Double, growsWithText: Bool = false) {
        widget.set(style: "avatar", true)
        if growsWithText {
            widget.setIconSize(side, side)
        } else {
            gtk_widget_set_size_request(widget, gint(side), gint(side))
        }
        gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
        Signal.connectDraw(widget) { [weak self] cairo in
            guard let self else { return }
            let side = growsWithText ? side * widget.textScale : side
            guard let picture else { return drawLetter(cairo, side: side) }
            let radius = side / 2
            cairo_arc(cairo, radius, radius, radius, 0, 2 * .pi)
            cairo_clip(cairo)
            // The picture may have been loaded at a different text scale.
            cairo_scale(cairo, side / picture.width, side / picture.height)
            cairo_set_source_surface(cairo, picture.surface, 0, 0)
            cairo_paint(cairo)
        }
    }

    /// - Parameter name: The name whose first letter is shown if there is no picture; nil shows nothing then.
    func show<ID: Hashable>(_ pictures: AvatarLoader<ID>, of id: ID, name: String? = nil) {
        show(pictures.picture(of: id), name: name)
    }

    /// Shows a picture, or the first letter of a name if there is none.
    func show(_ found: Picture?, name: String? = nil) {
        let letter = name?.first { $0.isLetter || $0.isNumber }.map { String($0).uppercased() } ?? ""
        if found !== picture || letter != self.letter {
            (picture, self.letter) = (found, letter)
            gtk_widget_queue_draw(widget)
        }
        widget.isVisible = found != nil || name != nil
    }

    private func drawLetter(_ cairo: OpaquePointer, side: Double) {
        guard let style = gtk_widget_get_style_context(widget) else { return }
        gtk_render_background(style, cairo, 0, 0, side, side)
        guard !letter.isEmpty, let layout = gtk_widget_create_pango_layout(widget, letter),
            let font = pango_font_description_new()
        else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        // The size is in pixels, because it depends on the circle.
        pango_font_description_set_absolute_size(font, side * 0.44 * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)
        var (width, height): (gint, gint) = (0, 0)
        pango_layout_get_pixel_size(layout, &width, &height)
        gtk_render_layout(style, cairo, (side - Double(width)) / 2, (side - Double(height)) / 2, layout)
    }
}

/// A bounded cache of people's pictures, which are loaded when they are first requested.
@MainActor
final class AvatarLoader<ID: Hashable> {
    var onRead: (@MainActor (ID) -> Void)?

    private enum Found {
        case reading(Int)
        case read(Picture?)
    }

    private let has: @MainActor (ID) -> Bool
    private let bytes: @MainActor (ID) async -> [UInt8]?
    private let side: @MainActor () -> Int
    private let scale: @MainActor () -> Int
    private var found: [ID: Found] = [:]
    private var order: [ID] = []
    private var turn = 0

    private static var maximum: Int { 200 }

    /// `side` is in layout pixels at the text scale 1; the scales of `widget` give the resolution.
    init(
        side: Int, on widget: Widget, has: @escaping @MainActor (ID) -> Bool,
        bytes: @escaping @MainActor (ID) async -> [UInt8]?
    ) {
        (self.has, self.bytes) = (has, bytes)
        self.side = { Int((Double(side) * widget.textScale).rounded(.up)) }
        scale = { Int(gtk_widget_get_scale_factor(widget)) }
    }

    /// Returns the picture of a person, or nil if there is none or while it is being loaded.
    func picture(of id: ID) -> Picture? {
        switch found[id] {
        case .read(let picture): return picture
        case .reading: return nil
        case nil: break
        }
        guard has(id) else { return nil }
        turn += 1
        let turn = turn
        store(.reading(turn), of: id)
        Task { [weak self, bytes, side, scale] in
            guard let file = await bytes(id) else { self?.finish(nil, of: id, turn); return }
            Picture.read(file, side: side(), scale: scale()) { self?.finish($0, of: id, turn) }
        }
        return nil
    }

    private func finish(_ picture: Picture?, of id: ID, _ turn: Int) {
        guard case .reading(turn)? = found[id] else { return }
        found[id] = .read(picture)
        if picture != nil { onRead?(id) }
    }

    func forget(_ id: ID) {
        found[id] = nil
        order.removeAll { $0 == id }
    }

    private func store(_ state: Found, of id: ID) {
        found[id] = state
        order.append(id)
        if order.count > Self.maximum { found[order.removeFirst()] = nil }
    }
}

extension AvatarLoader<Contact.ID> {
    convenience init(of book: ContactBook, side: Int, on widget: Widget) {
        self.init(
            side: side, on: widget, has: { book.contact($0)?.card.hasPhoto == true },
            bytes: { await book.photo(of: $0) })
    }
}
