// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A row of a list: a widget that is recycled for a different row when it is no longer visible.
@MainActor
protocol ListRow: AnyObject {
    /// The event box of the row, which can have the focus; the list retains it only while the row is in use.
    var ref: GObjectRef { get }
}

extension ListRow {
    var box: Widget { ref.cast() }

    static func makeBox(style: String...) -> GObjectRef {
        let box: Widget = gtk_event_box_new()
        for name in style { box.set(style: name, true) }
        return GObjectRef(sinking: box)
    }
}

/// A list of any length that builds only the visible rows and a few above and below them.
///
/// The visible rows keep their place when rows are inserted above or below, or turn out higher than assumed: the list
/// computes its scroll position from an anchor, which is a row or one of its ends. Assistive tools see a list box with
/// the rows that are built.
@MainActor
final class VirtualList<ID: Hashable, Row: ListRow> {
    /// The list with its scroll bar.
    let widget: Widget
    /// The list box, which has the accessible name.
    var listBox: Widget { host.widget }
    /// Updates a row to show the contents for an ID.
    var show: (@MainActor (Row, ID) -> Void)?
    /// Called when a row is activated by a click, or by Return or Space (`byKey`).
    var onActivate: (@MainActor (_ id: ID, _ byKey: Bool) -> Void)?
    /// A double click on a row, after the activations by its two clicks.
    var onDoubleClick: (@MainActor (ID) -> Void)?
    /// Called when the menu of a row is requested; the event is nil if a key was used.
    var onMenu: (@MainActor (ID, Row, UnsafeMutablePointer<GdkEvent>?) -> Void)?
    /// Called when a finger swipes a row to the side.
    var onSwipe: (@MainActor (ID) -> Void)?
    /// Called when a key is pressed on a row; returns true if the key was handled.
    var onKey: (@MainActor (ID, GdkEventKey) -> Bool)?
    /// Called when the visible rows change or the list reaches its end, once for several changes.
    var onMove: (@MainActor () -> Void)?
    /// Called when the pointer enters or leaves the list.
    var onPointer: (@MainActor (_ isOver: Bool) -> Void)?
    /// Whether the list stays at its end when it grows.
    var followsEnd: Bool {
        didSet { if !followsEnd, oldValue { letGoOfEnd() } }
    }
    /// Whether the list, a moment after it was scrolled, shows its first row in full.
    var snapsToRows = false
    /// Whether the list stays at its beginning when rows are inserted above.
    var followsTop = true
    /// Whether the list has no row widgets, so that assistive tools cannot read them; it keeps its position.
    var isCovered = false {
        didSet { if isCovered != oldValue { coverChanged() } }
    }

    var heights: RowHeights<ID>
    let host: ListContainer
    let touch: TouchGestures
    /// The row that a finger has touched, unless something in it has taken the touch.
    var touched: ID?
    /// The widgets that the list uses, retained in case the window is destroyed first.
    private let kept: [GObjectRef]
    let adjustment: UnsafeMutablePointer<GtkAdjustment>
    let make: @MainActor () -> Row
    /// The rows that are built, in the order of the list.
    var built: [(id: ID, row: Row)] = []
    var spare: [Row] = []
    var anchor: Anchor
    var width: gint = 0
    var placedHeight: gint = 0
    var placedPage = 0
    /// The scroll position that was last set in GTK or read from it, in pixels.
    var placedTop = 0.0
    var isPlacing = false
    private var moveTimer: MainLoop.Timer?
    private var snapTimer: MainLoop.Timer?
    /// The row that receives the focus when the focus enters the list.
    private(set) var cursor: ID?
    /// The row that had the focus when the list was covered.
    var coveredFocus: ID?

    /// The reference for the scroll position.
    enum Anchor {
        case end
        /// A row, and the distance of its top above the top of the view, in pixels; `of` is the height of the row for
        /// which the distance is valid.
        case row(ID, Double, of: Int = 0)
        case top
    }

    /// - Parameter guess: The approximate height of a row, in pixels.
    init(name: String, guess: Int, followsEnd: Bool = false, make: @escaping @MainActor () -> Row) {
        heights = RowHeights(firstGuess: guess)
        (self.followsEnd, self.make) = (followsEnd, make)
        anchor = followsEnd ? .end : .top
        guard let host = ListContainer(), let scrolled = gtk_scrolled_window_new(nil, nil),
            let adjustment = gtk_scrolled_window_get_vadjustment(scrolled.cast()),
            let viewport = gtk_viewport_new(nil, adjustment)
        else { preconditionFailure("GTK always creates a widget, or terminates the program") }
        (self.host, self.adjustment, touch) = (host, adjustment, TouchGestures(on: host.widget))
        kept = [
            GObjectRef(sinking: scrolled), GObjectRef(sinking: host.widget),
            GObjectRef(retaining: adjustment),
        ]
        widget = scrolled
        gtk_scrolled_window_set_policy(scrolled.cast(), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        // The rows take the focus; an empty list would be a stop of the Tab key without a name.
        gtk_widget_set_can_focus(scrolled, 0)
        // A viewport that the scrolled window creates would scroll to a focused row before the row is placed.
        gtk_viewport_set_shadow_type(viewport.cast(), GTK_SHADOW_NONE)
        gtk_container_add(viewport.cast(), host.widget)
        gtk_container_add(scrolled.cast(), viewport)
        gtk_widget_show_all(scrolled)
        cgtk_widget_set_accessible(host.widget, name, nil)
        atk_object_set_role(gtk_widget_get_accessible(host.widget), ATK_ROLE_LIST_BOX)
        host.height = { [weak self] in self?.height(for: $0) ?? 0 }
        host.place = { [weak self] in self?.place($0) }
        host.focus = { [weak self] in self?.moveFocus($0) ?? false }
        // The font may have changed.
        Signal.connect(host.widget, "style-updated") { [weak self] in self?.remeasure() }
        Signal.connect(adjustment, "value-changed") { [weak self] in self?.scrolled() }
        Signal.connect(adjustment, "changed") { [weak self] in self?.pageChanged() }
        Signal.connectEvent(host.widget, "key-press-event") { [weak self] in self?.keyPressed($0) ?? false }
        // The widgets around the list are gone then, too.
        Signal.connect(host.widget, "destroy") { [weak self] in self?.onMove = nil }
        watchPointer(of: viewport)
        watchTouch()
    }

    // MARK: - Contents

    var ids: [ID] { heights.ids }

    /// Replaces the rows; visible rows that remain keep their place.
    func set(_ ids: [ID]) {
        guard ids != heights.ids else { return }
        let focused = focusedID
        let oldIndex = focused.flatMap { heights.index(of: $0) }
        // A list that shows its end, by whatever row it was placed, stays there.
        if followsEnd, showsEnd { anchor = .end }
        keepAnchor(among: ids)
        heights.set(ids)
        takeAwayMisplaced()
        fill()
        if let cursor, heights.index(of: cursor) == nil { self.cursor = nil }
        if let focused {
            let index = heights.index(of: focused) ?? min(oldIndex ?? 0, ids.count - 1)
            if index >= 0 { focusRow(ids[index]) }
        }
        gtk_widget_queue_resize(host.widget)
        moved()
    }

    func update(_ id: ID) {
        let row = row(id)
        guard row != nil || heights.isMeasured(id) else { return }
        heights.forget(id)
        if let row { show?(row, id) }
        gtk_widget_queue_resize(host.widget)
    }

    func updateAll() {
        heights.forgetAll()
        for (id, row) in built { show?(row, id) }
        gtk_widget_queue_resize(host.widget)
    }

    private func remeasure() {
        heights.forgetAll()
        gtk_widget_queue_resize(host.widget)
    }

    func setCursor(_ id: ID) { cursor = id }

    func id(ofBox box: Widget) -> ID? { built.first { $0.row.box == box }?.id }

    func row(_ id: ID) -> Row? { built.first { $0.id == id }?.row }

    var builtIDs: [ID] { built.map(\.id) }

    var builtRows: [Row] { built.map(\.row) }

    /// Moves the anchor to the next remaining row if its row is removed, or else to the previous one.
    private func keepAnchor(among ids: [ID]) {
        guard case .row(let id, let offset, let height) = anchor else { return }
        let staying = Set(ids)
        guard !staying.contains(id), let index = heights.index(of: id) else { return }
        if let next = heights.ids[index...].first(where: staying.contains) {
            anchor = .row(next, 0)
        } else if let last = heights.ids[..<index].last(where: staying.contains) {
            anchor = .row(last, offset, of: height)
        } else {
            anchor = followsEnd ? .end : .top
        }
    }

    /// Recycles the rows that were removed or are out of order.
    private func takeAwayMisplaced() {
        var last = -1
        for (id, row) in built {
            if let index = heights.index(of: id), index > last {
                last = index
            } else {
                takeAway(row)
                built.removeAll { $0.id == id }
            }
        }
    }

    // MARK: - Position

    var isAtEnd: Bool {
        Int(wantedTop()) + page >= heights.total() - Self.nearly
    }

    /// Whether the end is in sight, and all rows are where they belong: before that, only guesses say where it is.
    private var showsEnd: Bool {
        !ids.isEmpty && Int(placedHeight) == max(heights.total(), page) && isAtEnd
    }

    /// The indices of the rows that are visible, at least in part.
    var seen: ClosedRange<Int>? {
        // Use the intended position, because GTK may not have applied it yet.
        let top = Int(wantedTop())
        guard width > 1, page > 1, let first = heights.index(at: top),
            let last = heights.index(at: top + page - 1)
        else { return nil }
        return first...max(first, last)
    }

    func scrollToEnd() { jump(to: .end) }

    func scrollToTop() { jump(to: .top) }

    /// Scrolls until the row is a quarter of the page below the top.
    func scroll(to id: ID) {
        if heights.index(of: id) != nil { jump(to: .row(id, -Double(page / 4))) }
    }

    private func jump(to anchor: Anchor) {
        self.anchor = anchor
        fill()
        gtk_widget_queue_resize(host.widget)
        moved()
    }

    /// Scrolls by the smallest distance that brings a row into view.
    ///
    /// - Parameter next: The height that the page is about to have, in pixels; nil for the present one.
    func reveal(_ id: ID, page next: Int? = nil) {
        let page = next ?? page
        guard let index = heights.index(of: id) else { return }
        let (top, bottom) = (heights.top(of: index), heights.top(of: index + 1))
        let value = wantedTop()
        if Double(top) < value {
            anchor = .row(id, 0)
        } else if bottom > Int(value) + page {
            anchor =
                followsEnd && index == ids.count - 1 ? .end : .row(id, Double(min(0, bottom - top - page)))
        } else {
            return
        }
        fill()
        gtk_widget_queue_resize(host.widget)
    }

    /// The distance from the end that still counts as the end, in pixels.
    private static var nearly: Int { 4 }

    var page: Int { Int(gtk_adjustment_get_page_size(adjustment)) }

    /// Returns the intended scroll position, in pixels.
    func wantedTop() -> Double {
        let end = Double(max(0, heights.total() - page))
        switch anchor {
        case .top: return 0
        case .end: return end
        case .row(let id, let offset, let height):
            guard let index = heights.index(of: id) else { return 0 }
            // If the width has changed, the height of the row has too: keep the relative position in the row.
            let now = heights.top(of: index + 1) - heights.top(of: index)
            let scale = offset > 0 && height > 0 ? Double(now) / Double(height) : 1
            return min(end, max(0, Double(heights.top(of: index)) + offset * scale))
        }
    }

    private func letGoOfEnd() {
        guard case .end = anchor else { return }
        let value = gtk_adjustment_get_value(adjustment)
        guard width > 1, let index = heights.index(at: Int(value)) else {
            anchor = .top
            return
        }
        hold(index, top: value)
    }

    private func hold(_ index: Int, top: Double) {
        let (start, end) = (heights.top(of: index), heights.top(of: index + 1))
        anchor = .row(ids[index], top - Double(start), of: end - start)
    }

    private func scrolled() {
        // Ignore the position that GTK chooses while the height of the list changes.
        guard !isPlacing, gtk_adjustment_get_upper(adjustment) == Double(placedHeight) else { return }
        // Apply only the difference, because rows may have been inserted above since the position was set in GTK.
        let value = gtk_adjustment_get_value(adjustment)
        let top = wantedTop() + value - placedTop
        placedTop = value
        if followsEnd, Int(top) + page >= heights.total() - Self.nearly {
            anchor = .end
        } else if top <= 0 {
            anchor = .top
        } else if let index = heights.index(at: Int(top)) {
            hold(index, top: top)
        }
        if case .top = anchor, let first = ids.first, followsEnd || !followsTop { anchor = .row(first, 0) }
        fill()
        if heights.total() != Int(placedHeight) { gtk_widget_queue_resize(host.widget) }
        moved()
        if snapsToRows { snapTimer = MainLoop.after(milliseconds: 160) { [weak self] in self?.snap() } }
    }

    private func snap() {
        snapTimer = nil
        let top = Int(wantedTop())
        guard !isAtEnd, let index = heights.index(at: top) else { return }
        let (start, end) = (heights.top(of: index), heights.top(of: index + 1))
        guard top != start, index + 1 < ids.count else { return }
        jump(to: .row(ids[2 * (top - start) < end - start ? index : index + 1], 0))
    }

    /// Updates the position after a change of the page: GTK does not reallocate a list longer than that.
    private func pageChanged() {
        guard !isPlacing, placedPage != page, placedHeight > page, page > 1 else { return }
        placedPage = page
        isPlacing = true
        gtk_adjustment_set_value(adjustment, wantedTop())
        isPlacing = false
        placedTop = gtk_adjustment_get_value(adjustment)
        resizeSoon()
        moved()
    }

    /// Requests a new size later, because GTK ignores requests that are made during an allocation.
    func resizeSoon() {
        MainLoop.soon { [weak self] in
            guard let self else { return }
            gtk_widget_queue_resize(host.widget)
        }
    }

    func moved() {
        guard moveTimer == nil else { return }
        moveTimer = MainLoop.after(milliseconds: 0) { [weak self] in
            self?.moveTimer = nil
            self?.onMove?()
        }
    }
}
