// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The place of each message among those before it, which decides what stands above it.
@MainActor
struct MessageHeadings {
    struct Heading: Hashable {
        /// Whether the message before is of another day.
        var startsDay = false
        /// Whether the message before is of the same sender, and of the last minutes.
        var continuesRun = false
    }

    /// The longest time between two messages of a run, in milliseconds.
    private static let pause: Int64 = 5 * 60_000

    private var headings: [Int64: Heading] = [:]
    /// The entries of the calls that are the first of their day.
    private var callsOfNewDay: Set<Int64> = []
    /// The last message, unless a call is after it, and the day of what is last.
    private var last: (message: ChatMessage?, day: Int)?
    private let isFromBeginning: Bool
    private let stamps: LocaleStamps

    /// - Parameters:
    ///   - items: The messages and calls in their order.
    ///   - isFromBeginning: Whether there is no message before them.
    init(_ items: [ConversationItem] = [], isFromBeginning: Bool = false, stamps: LocaleStamps) {
        (self.isFromBeginning, self.stamps) = (isFromBeginning, stamps)
        headings.reserveCapacity(items.count)
        for item in items {
            let day = stamps.day(of: item.time)
            switch item {
            case .message(let message):
                headings[message.id] = heading(ofNext: message, day: day)
                last = (message, day)
            case .call(let entry):
                if last.map({ $0.day != day }) ?? isFromBeginning { callsOfNewDay.insert(entry.id) }
                last = (nil, day)
            }
        }
    }

    subscript(_ message: Int64) -> Heading { headings[message] ?? Heading() }

    /// Returns whether what is before a call is of another day.
    func startsDay(call: Int64) -> Bool { callsOfNewDay.contains(call) }

    /// Returns what stands above a message after all others.
    func heading(ofNext message: ChatMessage) -> Heading {
        heading(ofNext: message, day: stamps.day(of: message.time))
    }

    private func heading(ofNext message: ChatMessage, day: Int) -> Heading {
        guard let last else { return Heading(startsDay: isFromBeginning) }
        let isOtherDay = last.day != day
        guard let before = last.message else { return Heading(startsDay: isOtherDay) }
        let time = abs(message.time.milliseconds - before.time.milliseconds)
        return Heading(
            startsDay: isOtherDay,
            continuesRun: message.sender == before.sender && time <= Self.pause && !isOtherDay)
    }

    /// Returns the messages whose headings differ from earlier ones.
    func changes(since earlier: MessageHeadings) -> [Int64] {
        headings.filter { earlier.headings[$0.key] != $0.value }.map(\.key)
    }

    /// Returns the calls that begin a day now and did not before, or the other way round.
    func callChanges(since earlier: MessageHeadings) -> Set<Int64> {
        callsOfNewDay.symmetricDifference(earlier.callsOfNewDay)
    }
}
