// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The display of the lock screen: the time, and how many missed calls and unread messages there are.
///
/// It never has a name or a text.
@MainActor
final class LockDisplay {
    let widget: Widget
    private let source: Source
    private let builder: Builder
    private let bezel: Widget
    private let rooms: (clock: Widget, waiting: Widget)
    private let clock: NumberLine
    private let waiting: StatusRow
    private let size = DisplaySize()
    private var rowGap = 7
    private var timer: (any ScheduledTimer)?

    /// The sources of the counts and of the time.
    struct Source {
        let buddies: AllBuddies
        let history: CallHistory
        let wall: any WallClock
        /// Wakes the display for the next minute.
        let scheduler: any Scheduler
    }

    init(_ source: Source, resources: Resources) throws(GLibError) {
        self.source = source
        builder = try Builder(file: resources.layout("lock-display"))
        let glass: Widget = try builder.object("glass")
        widget = glass
        bezel = try builder.object("bezel")
        let (clockRoom, waitingRoom): (Widget, Widget) = (
            try builder.object("clock-room"), try builder.object("waiting-room")
        )
        rooms = (clockRoom, waitingRoom)
        let (time, missed, unread): (Widget, Widget, Widget) = (
            try builder.object("clock"), try builder.object("missed"), try builder.object("unread")
        )
        clock = NumberLine(time, room: clockRoom, size: size)
        waiting = StatusRow(line: missed, status: unread, size: size)
        for part in [widget, bezel] { gtk_widget_set_direction(part, GTK_TEXT_DIR_LTR) }
        let places = [time: clockRoom, missed: waitingRoom, unread: waitingRoom]
        Signal.connectPlace(glass) { part in places[part].map { DisplayView.place(of: $0, in: glass) } }
        // Nothing wakes the program for a window that nobody sees.
        Signal.connect(glass, "map") { [weak self] in self?.showTime() }
        Signal.connect(glass, "unmap") { [weak self] in self?.stop() }
        glass.followTextScale { [weak self] _ in self?.setRooms() }
        source.buddies.observe(by: self) { [weak self] _ in self?.showWaiting() }
        source.history.observe(by: self) { [weak self] in if $0 == .missed { self?.showWaiting() } }
        setRooms()
        clock.show(text, areWords: false)
        showWaiting()
    }

    /// Sets the size of the rows, as that of the phone's display.
    func setSize(factor: Double, rowGap: Int, ignoresTextScale: Bool) {
        guard
            factor != size.factor || rowGap != self.rowGap || ignoresTextScale != size.ignoresTextScale
        else { return }
        (size.factor, self.rowGap, size.ignoresTextScale) = (factor, rowGap, ignoresTextScale)
        setRooms()
        waiting.refit()
        clock.refit()
    }

    /// The height at a factor, in layout pixels.
    nonisolated static func height(factor: Double, rowGap: Int, textScale: Double) -> Int {
        let metrics = DisplayMetrics(textScale: textScale, factor: factor)
        return Int(metrics.row + metrics.large) + rowGap + 18
    }

    private func setRooms() {
        let metrics = size.metrics(on: widget)
        gtk_box_set_spacing(bezel.cast(), gint(rowGap))
        gtk_widget_set_size_request(rooms.clock, -1, gint(metrics.large))
        gtk_widget_set_size_request(rooms.waiting, -1, gint(metrics.row))
    }

    private var text: String { LocaleStamps().time(source.wall.now) }

    private func showTime() {
        stop()
        clock.show(text, areWords: false)
        let milliseconds = source.wall.now.milliseconds
        let rest = 60_000 - ((milliseconds % 60_000) + 60_000) % 60_000
        timer = source.scheduler.schedule(after: .milliseconds(rest)) { [weak self] in self?.showTime() }
    }

    private func stop() {
        timer?.cancel()
        timer = nil
    }

    private func showWaiting() {
        let (unread, missed) = (source.buddies.unread, source.history.missed)
        waiting.show(
            line: missed > 0
                ? DisplayName.text(localizedPlural("{count} missed", "{count} missed", missed)) : "")
        waiting.show(
            status: unread > 0
                ? DisplayName.text(localizedPlural("{count} unread", "{count} unread", unread)) : "")
    }
}
