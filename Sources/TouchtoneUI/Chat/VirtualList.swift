// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A row of a list: a widget that is used again for another row when it is not to be seen any more.
@MainActor
protocol ListRow: AnyObject {
    /// The row, which can have the focus; the list holds it at some times only, and the row always.
    var box: Widget { get }
}

/// A list of any length, of which only the rows are built that are to be seen, and a few beside them.
///
/// What is looked at stays where it is, whatever is put above or below it and however high it turns out to be: the list
/// holds on to a row (or to its own end), and finds its place from there. Assistive tools see a list box with the rows
/// that are built.
@MainActor
final class VirtualList<ID: Hashable, Row: ListRow> {
    /// The list with its scroll bar.
    let widget: Widget
    /// The list itself, which assistive tools know by its name.
    var listBox: Widget { host.widget }
    /// Shows in a row what is to be shown for an id.
    var show: (@MainActor (Row, ID) -> Void)?
    /// A row is chosen: by a click, or by Return or Space, which is `byKey`.
    var onActivate: (@MainActor (_ id: ID, _ byKey: Bool) -> Void)?
    /// The menu of a row is asked for: by the pointer, or by a key.
    var onMenu: (@MainActor (ID, Row, UnsafeMutablePointer<GdkEvent>?) -> Void)?
    /// A key goes down on a row; true where that was all.
    var onKey: (@MainActor (ID, GdkEventKey) -> Bool)?
    /// The rows that are seen are others, or it has come to its end; told once for many.
    var onMove: (@MainActor () -> Void)?
    /// Whether the list, once at its end, stays there when it grows.
    var followsEnd: Bool {
        didSet { if !followsEnd, oldValue { letGoOfEnd() } }
    }
    /// Whether the list, once at its beginning, stays there when rows come above.
    var followsTop = true
    /// Whether there are no rows for now, not even ones that wait to be used again: assistive tools would read them.
    ///
    /// The place in the list and the row of the keyboard stay.
    var isCovered = false {
        didSet { if isCovered != oldValue { coverChanged() } }
    }

    var heights: RowHeights<ID>
    let host: RowHost
    /// What is used here stays, also when the window has gone before.
    private let kept: [GObjectRef]
    let adjustment: UnsafeMutablePointer<GtkAdjustment>
    let make: @MainActor () -> Row
    /// The rows that are built, in their order.
    var built: [(id: ID, row: Row)] = []
    var spare: [Row] = []
    var anchor: Anchor
    var width: gint = 0
    var placedHeight: gint = 0
    var placedPage = 0
    /// Where GTK has the list, as far as that is known here.
    var placedTop = 0.0
    var isPlacing = false
    private var moveTimer: MainLoop.Timer?
    /// The row that the keyboard is on.
    private(set) var cursor: ID?
    /// The row that had the focus when the list was covered.
    var coveredFocus: ID?

    /// What the list holds on to.
    enum Anchor {
        case end
        /// A row, and how far its top is above the top of what is seen: of so many pixels that it is high.
        case row(ID, Double, of: Int = 0)
        case top
    }

    /// - Parameters:
    ///   - name: what assistive tools know it by.
    ///   - guess: about how high a row is, in pixels.
    init(name: String, guess: Int, followsEnd: Bool = false, make: @escaping @MainActor () -> Row) {
        heights = RowHeights(firstGuess: guess)
        self.followsEnd = followsEnd
        self.make = make
        anchor = followsEnd ? .end : .top
        guard let host = RowHost(), let scrolled = gtk_scrolled_window_new(nil, nil),
            let adjustment = gtk_scrolled_window_get_vadjustment(scrolled.cast()),
            let viewport = gtk_viewport_new(nil, adjustment)
        else { preconditionFailure("GTK makes a widget always, or ends the program") }
        self.host = host
        self.adjustment = adjustment
        kept = [
            GObjectRef(sinking: scrolled), GObjectRef(sinking: host.widget),
            GObjectRef(retaining: adjustment),
        ]
        widget = scrolled
        gtk_scrolled_window_set_policy(scrolled.cast(), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        // By hand: a viewport that the scrolled window makes scrolls to a focused row before that has its place.
        gtk_viewport_set_shadow_type(viewport.cast(), GTK_SHADOW_NONE)
        gtk_container_add(viewport.cast(), host.widget)
        gtk_container_add(scrolled.cast(), viewport)
        gtk_widget_show_all(scrolled)
        cgtk_widget_set_accessible(host.widget, name, nil)
        atk_object_set_role(gtk_widget_get_accessible(host.widget), ATK_ROLE_LIST_BOX)
        host.height = { [weak self] in self?.height(for: $0) ?? 0 }
        host.place = { [weak self] in self?.place($0) }
        host.focus = { [weak self] in self?.moveFocus($0) ?? false }
        // Another face or size of text.
        Signal.connect(host.widget, "style-updated") { [weak self] in self?.remeasure() }
        Signal.connect(adjustment, "value-changed") { [weak self] in self?.scrolled() }
        Signal.connect(adjustment, "changed") { [weak self] in self?.pageChanged() }
        Signal.connectEvent(host.widget, "key-press-event") { [weak self] in self?.keyPressed($0) ?? false }
    }
}

// MARK: - What is in it

extension VirtualList {
    /// The ids of the rows, from the top.
    var ids: [ID] { heights.ids }

    /// Has other rows; what is looked at stays where it is, if it is still there.
    func set(_ ids: [ID]) {
        guard ids != heights.ids else { return }
        let focused = focusedID
        let oldIndex = focused.flatMap { heights.index(of: $0) }
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

    /// Something that a row shows is another now.
    func update(_ id: ID) {
        let row = row(id)
        guard row != nil || heights.isMeasured(id) else { return }
        heights.forget(id)
        if let row { show?(row, id) }
        gtk_widget_queue_resize(host.widget)
    }

    /// All that is shown may be another now.
    func updateAll() {
        heights.forgetAll()
        for (id, row) in built { show?(row, id) }
        gtk_widget_queue_resize(host.widget)
    }

    private func remeasure() {
        heights.forgetAll()
        gtk_widget_queue_resize(host.widget)
    }

    /// The keyboard is on this row.
    func setCursor(_ id: ID) { cursor = id }

    /// The id that a row shows now.
    func id(ofBox box: Widget) -> ID? { built.first { $0.row.box == box }?.id }

    /// The row of an id, if it is built.
    func row(_ id: ID) -> Row? { built.first { $0.id == id }?.row }

    /// What is built, from the top.
    var builtIDs: [ID] { built.map(\.id) }

    /// The rows that are built, from the top.
    var builtRows: [Row] { built.map(\.row) }

    /// If the row that was held on to goes, the one after it that stays is held on to.
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

    /// Rows that are gone, or in another order, are taken away.
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
}

// MARK: - Where it is

extension VirtualList {
    /// Whether its end is seen.
    var isAtEnd: Bool {
        Int(wantedTop()) + page >= heights.total() - Self.nearly
    }

    /// The indices of the rows that are seen, wholly or in part.
    var seen: ClosedRange<Int>? {
        // Where it is to be: GTK may not have come round to it.
        let top = Int(wantedTop())
        guard width > 1, page > 1, let first = heights.index(at: top),
            let last = heights.index(at: top + page - 1)
        else {
            return nil
        }
        return first...max(first, last)
    }

    /// Goes to the end.
    func scrollToEnd() {
        anchor = .end
        fill()
        gtk_widget_queue_resize(host.widget)
        moved()
    }

    /// Goes to the beginning.
    func scrollToTop() {
        anchor = .top
        fill()
        gtk_widget_queue_resize(host.widget)
        moved()
    }

    /// Goes to where the row is a quarter from the top.
    func scroll(to id: ID) {
        guard heights.index(of: id) != nil else { return }
        anchor = .row(id, -Double(page / 4))
        fill()
        gtk_widget_queue_resize(host.widget)
        moved()
    }

    /// Scrolls by no more than brings a row into sight.
    func reveal(_ id: ID) {
        guard let index = heights.index(of: id) else { return }
        let (top, bottom) = (heights.top(of: index), heights.top(of: index + 1))
        let value = gtk_adjustment_get_value(adjustment)
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

    /// How many pixels from its end is its end still.
    private static var nearly: Int { 4 }

    var page: Int { Int(gtk_adjustment_get_page_size(adjustment)) }

    /// Where the top of what is seen is to be.
    func wantedTop() -> Double {
        let end = Double(max(0, heights.total() - page))
        switch anchor {
        case .top: return 0
        case .end: return end
        case .row(let id, let offset, let height):
            guard let index = heights.index(of: id) else { return 0 }
            // With another width the row is of another height, and the place in it is the same.
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
        // While the list gets another height, GTK moves it as it thinks right; the list knows better.
        guard !isPlacing, gtk_adjustment_get_upper(adjustment) == Double(placedHeight) else { return }
        // By how far: rows may have come above since GTK was told where it is.
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
    }

    /// More or less is seen: GTK gives a list that is longer than that no other place.
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

    /// What is asked for while GTK gives places is forgotten.
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
