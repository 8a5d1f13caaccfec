// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

// The widgets of the visible rows: their creation, measurement and placement.
extension VirtualList {
    func height(for width: gint) -> gint {
        updateWidth(width)
        // Measure the rows now: when GTK allocates the list, it no longer accepts a different height.
        fill()
        measure()
        return gint(clamping: heights.total())
    }

    private func updateWidth(_ width: gint) {
        guard width != self.width, width > 1 else { return }
        self.width = width
        heights.forgetAll()
    }

    func place(_ allocation: GtkAllocation) {
        isPlacing = true
        defer { isPlacing = false }
        updateWidth(allocation.width)
        fill()
        let isNewHeight = placedHeight != allocation.height
        placedHeight = allocation.height
        for (id, row) in built {
            guard let index = heights.index(of: id) else { continue }
            let (top, bottom) = (heights.top(of: index), heights.top(of: index + 1))
            var place = GtkAllocation(
                x: allocation.x, y: allocation.y + gint(top), width: allocation.width,
                height: gint(bottom - top))
            gtk_widget_size_allocate(row.box, &place)
        }
        let total = heights.total()
        // Rows that became visible since the height was requested have changed it.
        if max(total, page) != Int(allocation.height) { resizeSoon() }
        let top = wantedTop()
        if abs(gtk_adjustment_get_value(adjustment) - top) > 0.01 {
            gtk_adjustment_set_value(adjustment, top)
            moved()
        }
        placedTop = gtk_adjustment_get_value(adjustment)
        if placedPage != page || isNewHeight { moved() }
        placedPage = page
    }

    /// Builds the rows that are visible, and recycles the others.
    func fill() {
        guard !isCovered else { return }
        guard width > 1, page > 1, !ids.isEmpty else {
            if ids.isEmpty { takeAwayAll() }
            return
        }
        // A row that is lower than assumed makes room for more rows, so repeat, up to a limit.
        for _ in 0..<8 {
            let wanted = wantedRange()
            takeAway(outside: wanted)
            var position = 0
            for index in wanted {
                let id = ids[index]
                while position < built.count, let other = heights.index(of: built[position].id), other < index
                {
                    position += 1
                }
                if position == built.count || built[position].id != id { build(id, at: position) }
            }
            if !measure() { return }
        }
    }

    private func wantedRange() -> Range<Int> {
        let top = Int(wantedTop())
        let beside = max(page / 4, 100)
        guard let first = heights.index(at: max(0, top - beside)),
            let last = heights.index(at: top + page + beside)
        else { return 0..<0 }
        return first..<(last + 1)
    }

    private func build(_ id: ID, at position: Int) {
        let row = spare.popLast() ?? makeRow()
        show?(row, id)
        built.insert((id, row), at: position)
        host.insert(row.box, at: position)
    }

    private func makeRow() -> Row {
        let row = make()
        atk_object_set_role(gtk_widget_get_accessible(row.box), ATK_ROLE_LIST_ITEM)
        gtk_widget_set_can_focus(row.box, 1)
        gtk_widget_show_all(row.box)
        Signal.connectEvent(row.box, "button-press-event") { [weak self, weak row] in
            guard let self, let row else { return false }
            return pressed(row, $0)
        }
        // An event box has no hover state of its own.
        let box = row.box
        Signal.connectEvent(box, "enter-notify-event") { _ in
            gtk_widget_set_state_flags(box, GTK_STATE_FLAG_PRELIGHT, 0)
            return false
        }
        Signal.connectEvent(box, "leave-notify-event") { event in
            let isInside = event.pointee.crossing.detail == GDK_NOTIFY_INFERIOR
            if !isInside { gtk_widget_unset_state_flags(box, GTK_STATE_FLAG_PRELIGHT) }
            return false
        }
        return row
    }

    /// Measures the rows that have no known height; returns whether there were any.
    @discardableResult
    private func measure() -> Bool {
        var isNew = false
        for (id, row) in built where !heights.isMeasured(id) {
            var height: gint = 0
            gtk_widget_get_preferred_height_for_width(row.box, width, nil, &height)
            heights.note(Int(height), of: id)
            isNew = true
        }
        return isNew
    }

    private func takeAway(outside range: Range<Int>) {
        let focus = gtk_container_get_focus_child(host.widget.cast())
        built.removeAll { id, row in
            // Keep the focused row even if it is not visible, so that the focus is not lost.
            if let index = heights.index(of: id), range.contains(index) || row.box == focus { return false }
            takeAway(row)
            return true
        }
    }

    private func takeAwayAll() {
        for (_, row) in built { takeAway(row) }
        built = []
    }

    /// Destroys all rows when the list is covered, and builds them again when it is uncovered.
    func coverChanged() {
        if isCovered {
            coveredFocus = focusedID
            for row in built.map(\.row) + spare { Blanking.wipe(row.box) }
            for row in built.map(\.row) { host.remove(row.box) }
            for row in built.map(\.row) + spare { gtk_widget_destroy(row.box) }
            (built, spare) = ([], [])
        } else {
            fill()
            gtk_widget_queue_resize(host.widget)
            moved()
            if let coveredFocus { focusRow(coveredFocus) }
            coveredFocus = nil
        }
    }

    func takeAway(_ row: Row) {
        gtk_widget_unset_state_flags(row.box, GTK_STATE_FLAG_PRELIGHT)
        host.remove(row.box)
        spare.append(row)
    }
}
