// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The display: the line's name and the status, the number or a name, and a caption, in three rows that never move.
@MainActor
final class DisplayView {
    let widget: Widget
    private let builder: Builder
    private let number: NumberLine
    private let status: StatusRow
    private let caption: DotLabel
    private let portrait: DotPortrait
    private let portraitPlace: Widget
    private let bezel: Widget
    private let rooms: (status: Widget, number: Widget, caption: Widget)
    private let size = DisplaySize()

    /// - Parameter dropped: Called with the text that the user drops on the display; nil if it is no text.
    init(resources: Resources, dropped: @escaping @MainActor (String?) -> Void) throws(GLibError) {
        builder = try Builder(file: resources.layout("display"))
        widget = try builder.object("display")
        let (statusRoom, numberRoom, captionRoom): (Widget, Widget, Widget) = (
            try builder.object("status-room"), try builder.object("number-room"),
            try builder.object("caption-room")
        )
        rooms = (statusRoom, numberRoom, captionRoom)
        status = StatusRow(line: try builder.object("line"), status: try builder.object("status"), size: size)
        number = NumberLine(try builder.object("number"), room: numberRoom, size: size)
        caption = DotLabel(try builder.object("caption"), at: .natural, size: size)
        caption.hasGrid = true
        portraitPlace = try builder.object("portrait")
        portrait = DotPortrait(portraitPlace)
        // Digits run from left to right in every script, and brackets must not be mirrored.
        let glass: Widget = try builder.object("glass")
        bezel = try builder.object("bezel")
        for part in [bezel, glass] { gtk_widget_set_direction(part, GTK_TEXT_DIR_LTR) }
        let places: [Widget: Widget] = [
            try builder.object("line"): statusRoom, try builder.object("status"): statusRoom,
            try builder.object("number"): numberRoom, try builder.object("caption"): captionRoom,
        ]
        Signal.connectPlace(glass) { [weak self] part in
            guard let self else { return nil }
            if part == portraitPlace {
                return placeOfPortrait(
                    Self.place(of: statusRoom, in: glass), Self.place(of: captionRoom, in: glass))
            }
            return places[part].map { self.besidePortrait(Self.place(of: $0, in: glass)) }
        }
        widget.followTextScale { [weak self] _ in self?.setRooms() }
        Signal.connectDrop(widget, dropped)
        try addMenu()
    }

    /// Sets the size of the rows.
    ///
    /// - Parameters:
    ///   - factor: The factor by which the phone is wider than 360 pixels.
    ///   - spacing: The distance of the rows, in layout pixels.
    ///   - ignoresTextScale: Whether there is too little room for rows that grow with the desktop's texts.
    func setSize(factor: Double, spacing: Int, ignoresTextScale: Bool) {
        gtk_box_set_spacing(bezel.cast(), gint(spacing))
        guard factor != size.factor || ignoresTextScale != size.ignoresTextScale else { return }
        (size.factor, size.ignoresTextScale) = (factor, ignoresTextScale)
        setRooms()
        portrait.pitch = max(2, (2 * factor).rounded(.down))
        gtk_widget_queue_resize(portraitPlace)
        status.refit()
        number.refit()
        caption.fit()
        gtk_widget_queue_draw(widget)
    }

    private func setRooms() {
        let metrics = size.metrics(on: widget)
        for room in [rooms.status, rooms.caption] {
            gtk_widget_set_size_request(room, -1, gint(metrics.row))
        }
        gtk_widget_set_size_request(rooms.number, -1, gint(metrics.large))
    }

    /// Returns the place of a room in the pixels of the glass, which a label gets whatever it requests.
    static func place(of room: Widget, in glass: Widget) -> GdkRectangle {
        // Both are drawn in the same window. Their coordinates cannot be translated before they are realized.
        var (outer, inner) = (GtkAllocation(), GtkAllocation())
        gtk_widget_get_allocation(glass, &outer)
        gtk_widget_get_allocation(room, &inner)
        return GdkRectangle(
            x: inner.x - outer.x, y: inner.y - outer.y, width: inner.width, height: inner.height)
    }

    private func placeOfPortrait(_ first: GdkRectangle, _ last: GdkRectangle) -> GdkRectangle {
        let side = gint(portrait.side)
        return GdkRectangle(
            x: isRightToLeft ? first.x + first.width - side : first.x,
            y: first.y + (last.y + last.height - first.y - side) / 2, width: side, height: side)
    }

    /// Returns the part of a row that a portrait leaves.
    private func besidePortrait(_ row: GdkRectangle) -> GdkRectangle {
        guard portraitPlace.isVisible else { return row }
        let used = gint(portrait.side + DotPortrait.gap)
        return GdkRectangle(
            x: isRightToLeft ? row.x : row.x + used, y: row.y, width: max(1, row.width - used),
            height: row.height)
    }

    /// Whether the portrait is at the right, because the name in the large line is written from right to left.
    private var isRightToLeft: Bool { number.isRightToLeft }

    /// Shows a caller's picture beside the rows; `hasPlace` makes room for it before it has been read.
    func show(portrait picture: Picture?, hasPlace: Bool) {
        portrait.show(picture)
        portraitPlace.isVisible = hasPlace
        // The side may be another one.
        gtk_widget_queue_resize(portraitPlace)
    }

    /// Shows a formatted number, or words in its place.
    func show(number text: String, areWords: Bool = false) {
        number.show(text, areWords: areWords)
    }

    func show(status text: String) {
        status.show(status: text)
    }

    /// Shows the name of the line that Dial uses, or of the call's line.
    func show(line text: String) {
        status.show(line: text)
    }

    func show(caption text: String) {
        caption.show(text)
        caption.hasGrid = !caption.isPlain
    }

    private func addMenu() throws(GLibError) {
        let model: UnsafeMutablePointer<GMenuModel> = try builder.object("display-menu")
        let widget = widget
        var made: Widget?
        // Create the menu on demand, because each menu is a separate window.
        let menu: @MainActor () -> UnsafeMutablePointer<GtkMenu>? = {
            if made == nil, let new = gtk_menu_new_from_model(model) {
                gtk_menu_attach_to_widget(new.cast(), widget, nil)
                made = new
            }
            return made?.cast()
        }
        Signal.connectEvent(widget, "button-press-event") { event in
            guard gdk_event_triggers_context_menu(event) != 0 else { return false }
            gtk_menu_popup_at_pointer(menu(), event)
            return true
        }
        // The menu key and Shift+F10.
        Signal.connectPopup(widget) {
            gtk_menu_popup_at_widget(menu(), widget, GDK_GRAVITY_SOUTH_WEST, GDK_GRAVITY_NORTH_WEST, nil)
            menu().map { ContextMenu.select(in: $0.cast()) }
        }
    }
}
