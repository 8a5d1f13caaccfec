// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The arrangement of the panel’s list and of what is chosen in it, the detail.
///
/// A wide panel shows the detail beside the list, a middle one below it, and a narrow one in its place.
@MainActor
final class PanelColumns {
    private let place: ListContainer
    /// The widgets, retained in case the window is destroyed first.
    private let kept: [GObjectRef]
    /// The header, the page switch and the page.
    private let list: Widget
    private let detail: Widget
    private let columns: Widget
    private(set) var width = PanelArrangement.Width.middle
    /// The width of a panel that has little room; see `PanelArrangement.room`.
    private(set) var room = PanelArrangement.ample
    private var measuredHeight: gint = 0
    /// Whether the shown page has a detail, and whether something is chosen, so that a narrow panel shows it.
    private var (hasDetail, isChosen) = (false, false)
    /// Called when the arrangement has changed.
    var onChange: (@MainActor () -> Void)?

    /// The least widths of a middle and of a wide panel, and the width of the list in a wide one, in pixels at the text
    /// scale 1.
    private static let (middle, wide, listWidth) = (420.0, 800.0, 280.0)

    init(_ builder: Builder) throws(GLibError) {
        // The columns request their whole width, with which the window would fold: this container requests none.
        guard let place = ListContainer() else {
            preconditionFailure("GTK always creates a widget, or terminates the program")
        }
        self.place = place
        let columns: Widget = try builder.object("columns")
        self.columns = columns
        list = try builder.object("list-column")
        detail = try builder.object("detail")
        kept = [GObjectRef(sinking: place.widget), GObjectRef(sinking: columns)]
        place.insert(columns, at: 0)
        place.height = { columns.leastHeight(width: $0) }
        place.place = { Self.place(columns, in: $0) }
        place.focus = { gtk_widget_child_focus(columns, $0) != 0 }
        gtk_widget_show(place.widget)
        try (builder.object("columns-place") as Widget).add(place.widget, grows: true)
        Signal.connectNotify(place.widget, "size-allocate") { [weak self] in self?.measure() }
        place.widget.followTextScale { [weak self] _ in self?.measure() }
        arrange()
    }

    private static func place(_ columns: Widget, in allocation: GtkAllocation) {
        var place = allocation
        place.width = max(place.width, columns.leastWidth)
        gtk_widget_size_allocate(columns, &place)
    }

    /// Puts the detail of a page into its place.
    func add(_ widget: Widget) { detail.add(widget, grows: true) }

    /// The height of the panel, in pixels.
    var height: gint { gtk_widget_get_allocated_height(place.widget) }

    /// Shows or hides the detail.
    ///
    /// - Parameter isChosen: Whether something is chosen: only then does a narrow panel show the detail.
    func show(hasDetail: Bool, isChosen: Bool) {
        guard hasDetail != self.hasDetail || isChosen != self.isChosen else { return }
        (self.hasDetail, self.isChosen) = (hasDetail, isChosen)
        arrange()
    }

    /// Whether the detail reaches the panel’s upper right corner, where the window’s buttons are.
    var isDetailAtTop: Bool { hasDetail && (width == .wide || width == .narrow && isChosen) }

    private func measure() {
        let pixels = Double(gtk_widget_get_allocated_width(place.widget)) / place.widget.textScale
        let next: PanelArrangement.Width =
            pixels >= Self.wide ? .wide : pixels >= Self.middle ? .middle : .narrow
        let nextRoom = min(PanelArrangement.ample, gint(pixels))
        guard next != width || height != measuredHeight || nextRoom != room else { return }
        (width, measuredHeight, room) = (next, height, nextRoom)
        // A new arrangement during an allocation would be ignored.
        MainLoop.soon { [weak self] in self?.arrange() }
    }

    private func arrange() {
        let isBeside = hasDetail && width == .wide
        gtk_orientable_set_orientation(
            OpaquePointer(columns), isBeside ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL)
        let listWidth = isBeside ? gint((Self.listWidth * place.widget.textScale).rounded()) : -1
        gtk_widget_set_size_request(list, listWidth, -1)
        gtk_widget_set_hexpand(list, isBeside ? 0 : 1)
        list.set(style: "beside", isBeside)
        list.isVisible = !(hasDetail && width == .narrow && isChosen)
        detail.isVisible = hasDetail
        gtk_widget_set_vexpand(list, hasDetail && !isBeside ? 0 : 1)
        onChange?()
    }
}
