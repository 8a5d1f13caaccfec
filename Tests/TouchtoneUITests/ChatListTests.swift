// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TestSupport
import XCTest

@testable import TouchtoneUI

/// Tests of the list under any sequence of changes.
final class ChatListTests: GtkTestCase {
    func testRandomChangesLeaveNoGapAndKeepVisibleRowsInPlace() {
        onMainActor {
            for seed in Seeds.all {
                var random = SplitMix64(seed: seed)
                let bench = ListBench(followsEnd: seed % 2 == 0)
                var next = (first: 0, last: 0)
                var ids: [Int] = []
                for step in 0..<60 {
                    // A list that follows its start shows new rows there.
                    let (before, wasAtTop) = (bench.tops, bench.isAtTop && !bench.list.followsEnd)
                    var isMoved = false
                    switch Int.random(in: 0..<10, using: &random) {
                    case 0, 1:
                        let count = Int.random(in: 1...40, using: &random)
                        ids += next.last..<(next.last + count)
                        next.last += count
                    case 2, 3:
                        let count = Int.random(in: 1...40, using: &random)
                        ids.insert(contentsOf: (next.first - count)..<next.first, at: 0)
                        next.first -= count
                    case 4:
                        // The rows at the top of the view, and some above.
                        if let seen = bench.list.seen, !ids.isEmpty {
                            let first = max(0, seen.lowerBound - Int.random(in: 0...4, using: &random))
                            ids.removeSubrange(first...min(seen.lowerBound, ids.count - 1))
                        }
                    case 5: ids.removeLast(min(ids.count, Int.random(in: 0...20, using: &random)))
                    case 6, 7:
                        isMoved = true
                        bench.scroll(by: Double(Int.random(in: -900...900, using: &random)))
                    case 8:
                        isMoved = true
                        bench.resize(to: gint.random(in: 200...600, using: &random))
                    default:
                        isMoved = true
                        if let id = ids.randomElement(using: &random) {
                            bench.heights[id] = gint.random(in: 1...300, using: &random)
                            bench.list.update(id)
                        }
                    }
                    let wasAtEnd = bench.list.isAtEnd
                    bench.list.set(ids)
                    bench.draw()
                    bench.check("seed \(seed), step \(step)")
                    guard !isMoved, !wasAtTop, !(wasAtEnd && bench.list.followsEnd) else { continue }
                    let after = bench.tops
                    let staying = Set(before.keys).intersection(ids)
                    XCTAssert(
                        staying.isEmpty || !staying.isDisjoint(with: after.keys),
                        "seed \(seed), step \(step): all that was seen is out of sight")
                    // Added or removed rows do not move the remaining visible ones, unless there is no room.
                    guard bench.hasRoom else { continue }
                    let moves = Set(before.compactMap { id, top in after[id].map { $0 - top } })
                    XCTAssertLessThanOrEqual(moves.count, 1, "seed \(seed), step \(step): \(moves)")
                    if let anchor = before.filter({ $0.value <= 0 }).max(by: { $0.value < $1.value })?.key,
                        let top = after[anchor], before.values.contains(where: { $0 < 0 })
                    {
                        XCTAssertEqual(top, before[anchor], "seed \(seed), step \(step)")
                    }
                }
                bench.clear()
            }
        }
    }
}

/// A list of rows with heights set by the test.
@MainActor
private final class ListBench {
    let window: Widget = gtk_window_new(GTK_WINDOW_TOPLEVEL)
    let list: VirtualList<Int, PlainRow>
    /// The heights of rows that differ from the height derived from their number.
    var heights: [Int: gint] = [:]

    init(followsEnd: Bool) {
        list = VirtualList(name: "Numbers", guess: 40, followsEnd: followsEnd) { PlainRow() }
        list.show = { [weak self] row, id in
            row.id = id
            gtk_widget_set_size_request(row.box, -1, self?.heights[id] ?? gint(10 + abs(id) * 37 % 190))
        }
        gtk_window_set_default_size(window.cast(), 300, 400)
        gtk_container_add(window.cast(), list.widget)
        movePointerAway()
        gtk_widget_show(window)
        draw()
    }

    func clear() {
        gtk_widget_destroy(window)
        handleEvents()
    }

    func draw() {
        let isOver = Variable(false)
        // This runs after the list's deferred work and the frame that follows.
        for _ in 0..<2 {
            isOver.value = false
            MainLoop.afterFrame { isOver.value = true }
            waitUntil("all is drawn") { isOver.value }
        }
        gtk_test_widget_wait_for_draw(window)
    }

    func scroll(by pixels: Double) {
        gtk_adjustment_set_value(list.adjustment, gtk_adjustment_get_value(list.adjustment) + pixels)
    }

    func resize(to width: gint) {
        gtk_window_resize(window.cast(), width, 400)
        waitUntil("it is as wide") { gtk_widget_get_allocated_width(window) == width }
    }

    private var top: gint { gint(gtk_adjustment_get_value(list.adjustment).rounded()) }
    private var page: gint { gint(gtk_adjustment_get_page_size(list.adjustment)) }

    /// Whether the start of the list is visible.
    var isAtTop: Bool { top == 0 }

    /// Whether the list is longer than the view, so that it can keep its position.
    var hasRoom: Bool { top > 0 && top < gint(gtk_adjustment_get_upper(list.adjustment)) - page }

    /// The tops of the visible rows, from the top of the view.
    var tops: [Int: gint] {
        var found: [Int: gint] = [:]
        for row in list.builtRows {
            let place = row.place
            if place.y + place.height > top, place.y < top + page { found[row.id] = place.y - top }
        }
        return found
    }

    /// Checks that the rows are stacked in order, cover the view, and are few.
    func check(_ what: String) {
        let rows = list.builtRows
        let places = rows.map(\.place)
        XCTAssertEqual(rows.map(\.id), list.ids.filter(Set(rows.map(\.id)).contains), what)
        XCTAssertLessThan(rows.count, 120, what)
        let indices = rows.compactMap { list.heights.index(of: $0.id) }
        for (index, pair) in zip(places, places.dropFirst()).enumerated()
        where indices[index] + 1 == indices[index + 1] {
            XCTAssertEqual(pair.0.y + pair.0.height, pair.1.y, what)
        }
        for row in rows {
            XCTAssertEqual(row.place.height, heights[row.id] ?? gint(10 + abs(row.id) * 37 % 190), what)
        }
        let total = list.heights.total()
        XCTAssertEqual(gint(gtk_adjustment_get_upper(list.adjustment)), max(gint(total), page), what)
        guard !list.ids.isEmpty else { return XCTAssertEqual(rows.count, 0, what) }
        let seen = list.seen
        for index in seen ?? 0...0 { XCTAssert(indices.contains(index), "\(what): row \(index) is missing") }
    }
}

/// An empty row.
@MainActor
private final class PlainRow: ListRow {
    let ref: GObjectRef
    var id = 0

    init() {
        let box: Widget = gtk_event_box_new()
        ref = GObjectRef(sinking: box)
        gtk_container_add(box.cast(), Widget.box(GTK_ORIENTATION_VERTICAL))
    }

    var place: GtkAllocation {
        var place = GtkAllocation()
        gtk_widget_get_allocation(box, &place)
        return place
    }
}
