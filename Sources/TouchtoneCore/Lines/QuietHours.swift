// SPDX-License-Identifier: GPL-3.0-or-later

/// The schedule of Do Not Disturb, with one alarm for its next change.
///
/// The setting that has its entries is their only place: a change is saved, and comes back with `entries`. A call to an
/// emergency number suspends Do Not Disturb, so that a call back rings.
@MainActor
public final class QuietHours {
    /// An entry of the setting; one that cannot be read is shown, and never makes the phone quiet.
    public enum Entry: Hashable, Sendable {
        case period(QuietPeriod)
        case unreadable(String)
    }

    /// The time for which Do Not Disturb is suspended after an emergency call.
    public static let suspension = Duration.seconds(15 * 60)
    /// The greatest number of entries that are read.
    public static let capacity = 50

    /// The entries of the setting, in its order.
    public var texts: [String] = [] {
        didSet {
            guard texts != oldValue else { return }
            entries = texts.prefix(Self.capacity).map { text in
                QuietPeriod(text).map(Entry.period) ?? .unreadable(text)
            }
            schedule = QuietSchedule(
                periods: entries.compactMap { if case .period(let period) = $0 { period } else { nil } })
            dismissed = nil
            check()
            observers.notify(())
        }
    }

    public private(set) var entries: [Entry] = []

    /// Saves the entries after a change by the user; nil if they cannot be changed.
    public var save: (@MainActor ([String]) -> Void)?

    /// Whether the schedule makes the phone quiet now.
    public private(set) var isOn = false
    /// The time at which that ends; nil if it does not, or if the phone is not quiet.
    public private(set) var end: ChatTime?
    /// Whether Do Not Disturb is suspended, for whatever reason it is on.
    public private(set) var isSuspended = false

    private let wall: any AlarmClock
    private let offset: @MainActor (Int64) -> Int
    private var schedule = QuietSchedule(periods: [])
    /// The time until which the user does not want the phone to be quiet, although the schedule says so.
    private var dismissed: ChatTime?
    private var alarm: (any ScheduledTimer)?
    private var isInEmergency = false
    private let observers = Observers<Void>()
    private let clock: any Scheduler
    private var suspensionEnd: Duration?
    private lazy var timer = DeadlineTimer(clock: clock) { [weak self] in self?.resume() }

    /// - Parameter offset: Returns how far the user's clock is ahead of UTC at a time since 1970, both in seconds.
    public init(
        wall: any AlarmClock, clock: any Scheduler, offset: @escaping @MainActor (Int64) -> Int
    ) {
        (self.wall, self.clock, self.offset) = (wall, clock, offset)
    }

    /// Calls `body` after each change, as long as `owner` exists.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner, body)
    }

    // MARK: - Time

    /// Compares the schedule with the clock, which may have been set.
    public func check() {
        let now = wall.now
        let seconds = WallTime.divide(now.milliseconds, 1000).quotient
        let change = schedule.nextChange(after: seconds, offset: offset)
            .map { ChatTime(milliseconds: $0 * 1000) }
        let isQuiet = schedule.isQuiet(at: seconds, offset: offset)
        if let dismissed, !isQuiet || dismissed <= now { self.dismissed = nil }
        let before = (isOn, end)
        isOn = isQuiet && dismissed == nil
        end = isOn ? change : nil
        alarm?.cancel()
        alarm = change.map { change in
            wall.schedule(at: change) { [weak self] in self?.check() }
        }
        if before != (isOn, end) { observers.notify(()) }
    }

    /// Ends the quiet time that is now; the next one comes as scheduled.
    public func dismiss() {
        guard isOn else { return }
        dismissed = end ?? ChatTime(milliseconds: .max)
        check()
    }

    // MARK: - Emergency Calls

    /// Suspends Do Not Disturb while the phone calls an emergency number, and for a quarter of an hour after that.
    public func follow(_ calls: CallManager) {
        calls.observe(by: self) { [weak self, weak calls] change in
            guard let self, let calls else { return }
            if change == .calls { emergency(calls.isCallingHelp) }
        }
    }

    private func emergency(_ isCalling: Bool) {
        guard isCalling != isInEmergency else { return }
        isInEmergency = isCalling
        isSuspended = true
        suspensionEnd = isCalling ? nil : clock.now + Self.suspension
        timer.set(for: suspensionEnd)
        observers.notify(())
    }

    private func resume() {
        if let suspensionEnd, suspensionEnd > clock.now { return timer.set(for: suspensionEnd) }
        (isSuspended, suspensionEnd) = (false, nil)
        observers.notify(())
    }

    // MARK: - Changes

    /// Whether the user can change the schedule.
    public var isEditable: Bool { save != nil }

    /// Whether more periods can be added.
    public var hasRoom: Bool { texts.count < Self.capacity }

    /// Adds a period, unless it is there.
    public func add(_ period: QuietPeriod) {
        guard hasRoom, !entries.contains(.period(period)) else { return }
        save?(texts + [period.text])
    }

    /// Removes an entry; does nothing if there is none at the index any more.
    public func remove(at index: Int) {
        guard texts.indices.contains(index) else { return }
        var left = texts
        left.remove(at: index)
        save?(left)
    }
}
