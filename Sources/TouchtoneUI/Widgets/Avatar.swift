// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A picture of a person or a room; without one, what its `Face` says.
@MainActor
final class Avatar {
    /// The substitute for a missing picture, and the state at the picture’s edge.
    struct Face: Hashable {
        enum Kind { case person, room, number }

        var kind = Kind.person
        /// The name, whose first letter and colour are shown.
        var name = ""
        /// The state of a person; nil shows none.
        var presence: Availability?
    }

    let widget: Widget = gtk_drawing_area_new()
    private var picture: Picture?
    private var face = Face()
    /// The last drawing; nil after a change.
    private var drawing: CachedDrawing?
    private let side: Double
    private let growsWithText: Bool

    /// `side` is in layout pixels; a picture beside a name in a list grows with the text.
    init(side: Double, growsWithText: Bool = false) {
        (self.side, self.growsWithText) = (side, growsWithText)
        if growsWithText {
            widget.setIconSize(side, side)
        } else {
            gtk_widget_set_size_request(widget, gint(side), gint(side))
        }
        gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
        Signal.connectDraw(widget) { [weak self] in self?.draw($0) }
        // Its colours may have changed.
        Signal.connect(widget, "style-updated") { [weak self] in self?.drawing = nil }
    }

    /// - Parameter name: The name whose first letter is shown if there is no picture; nil shows nothing then.
    func show<ID: Hashable>(_ pictures: AvatarLoader<ID>, of id: ID, name: String? = nil) {
        show(pictures.picture(of: id), name: name)
    }

    /// Shows a picture, or the first letter of a name if there is none.
    func show(_ found: Picture?, name: String? = nil) {
        show(found, Face(name: name ?? ""))
        widget.isVisible = found != nil || name != nil
    }

    func show(_ found: Picture?, _ face: Face) {
        guard found !== picture || face != self.face else { return }
        (picture, self.face, drawing) = (found, face, nil)
        gtk_widget_queue_draw(widget)
    }

    private func draw(_ cairo: OpaquePointer) {
        let side = growsWithText ? side * widget.textScale : side
        let scale = gtk_widget_get_scale_factor(widget)
        let drawing =
            drawing?.fits(side, scale: scale) == true
            ? drawing
            : CachedDrawing(like: cairo_get_target(cairo), side: side, scale: scale) { draw($0, side: side) }
        self.drawing = drawing
        guard let drawing else { return }
        cairo_set_source_surface(cairo, drawing.surface, 0, 0)
        cairo_paint(cairo)
    }

    private func draw(_ cairo: OpaquePointer, side: Double) {
        cairo_save(cairo)
        clip(cairo, side: side)
        if let picture {
            // The picture may have been loaded at a different text scale.
            cairo_scale(cairo, side / picture.width, side / picture.height)
            cairo_set_source_surface(cairo, picture.surface, 0, 0)
            cairo_paint(cairo)
        } else {
            AvatarPainter(cairo: cairo, widget: widget, side: side).draw(face)
        }
        cairo_restore(cairo)
        if let presence = face.presence {
            AvatarPainter(cairo: cairo, widget: widget, side: side).draw(presence)
        }
    }

    /// Clips to a circle for a person and to a rounded square for a room.
    private func clip(_ cairo: OpaquePointer, side: Double) {
        if face.kind == .room {
            AvatarPainter.addRectangle(to: cairo, x: 0, y: 0, width: side, height: side, radius: side * 0.26)
        } else {
            cairo_arc(cairo, side / 2, side / 2, side / 2, 0, 2 * .pi)
        }
        cairo_clip(cairo)
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

extension AvatarLoader<ConversationID> {
    /// Creates a loader of the pictures that buddies publish, or else of their contacts’.
    convenience init(of messenger: Messenger, side: Int, on widget: Widget) {
        let book = { @MainActor in messenger.first.numbers.contacts }
        let contact: @MainActor (ConversationID) -> Contact.ID? = {
            messenger.buddies.row(of: $0)?.person.contact
        }
        self.init(
            side: side, on: widget,
            has: { id in
                messenger.buddies.picture(of: id) != nil
                    || contact(id).flatMap { book()?.contact($0)?.card.hasPhoto } == true
            },
            bytes: { id in
                if let own = messenger.buddies.picture(of: id) { return own }
                guard let contact = contact(id) else { return nil }
                return await book()?.photo(of: contact)
            })
    }
}
