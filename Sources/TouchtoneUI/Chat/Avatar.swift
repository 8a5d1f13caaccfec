// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A buddy's picture, in a circle; nothing where there is none.
@MainActor
final class Avatar {
    let widget: Widget = gtk_drawing_area_new()
    private var picture: Picture?

    /// - Parameter side: in pixels of the layout.
    init(side: gint) {
        gtk_widget_set_size_request(widget, side, side)
        gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
        Signal.connectDraw(widget) { [weak self] cairo in
            guard let picture = self?.picture else { return }
            let radius = Double(side) / 2
            cairo_arc(cairo, radius, radius, radius, 0, 2 * .pi)
            cairo_clip(cairo)
            cairo_set_source_surface(cairo, picture.surface, 0, 0)
            cairo_paint(cairo)
        }
    }

    /// Shows the picture of a buddy's, as far as it has been read.
    func show(_ pictures: Pictures, of buddy: ChatAddress) {
        let found = pictures.picture(of: buddy)
        if found !== picture {
            picture = found
            gtk_widget_queue_draw(widget)
        }
        widget.isVisible = found != nil
    }
}

/// The buddies' pictures, read when they are first wanted, the last ones kept.
@MainActor
final class Pictures {
    /// A picture has been read.
    var onRead: (@MainActor (ChatAddress) -> Void)?

    private enum Found {
        case reading
        case read(Picture?)
    }

    private let bytes: @MainActor (ChatAddress) -> [UInt8]?
    private let side: Int
    private let scale: @MainActor () -> Int
    private var found: [ChatAddress: Found] = [:]
    private var order: [ChatAddress] = []
    private static let most = 200

    /// - Parameters:
    ///   - bytes: the file of a buddy's picture.
    ///   - side: of a picture, in pixels of the layout.
    ///   - scale: how many pixels of the screen there are to one of the layout.
    init(
        side: Int, scale: @escaping @MainActor () -> Int,
        bytes: @escaping @MainActor (ChatAddress) -> [UInt8]?
    ) {
        self.bytes = bytes
        self.side = side
        self.scale = scale
    }

    /// The picture of a buddy's; nil where there is none, and while it is read.
    func picture(of buddy: ChatAddress) -> Picture? {
        switch found[buddy] {
        case .read(let picture): return picture
        case .reading: return nil
        case nil: break
        }
        guard let file = bytes(buddy) else { return nil }
        note(.reading, of: buddy)
        Picture.read(file, side: side, scale: scale()) { [weak self] picture in
            guard let self, case .reading? = found[buddy] else { return }
            found[buddy] = .read(picture)
            if picture != nil { onRead?(buddy) }
        }
        return nil
    }

    /// A buddy has another picture.
    func forget(_ buddy: ChatAddress) {
        found[buddy] = nil
        order.removeAll { $0 == buddy }
    }

    private func note(_ state: Found, of buddy: ChatAddress) {
        found[buddy] = state
        order.append(buddy)
        if order.count > Self.most { found[order.removeFirst()] = nil }
    }
}
