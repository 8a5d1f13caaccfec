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
    private var last: (message: ChatMessage, day: Int)?
    private let isFromBeginning: Bool
    private let stamps: LocaleStamps

    /// - Parameters:
    ///   - messages: The messages in their order.
    ///   - isFromBeginning: Whether there is no message before them.
    init(_ messages: some Collection<ChatMessage> = [], isFromBeginning: Bool = false, stamps: LocaleStamps) {
        (self.isFromBeginning, self.stamps) = (isFromBeginning, stamps)
        headings.reserveCapacity(messages.count)
        for message in messages {
            let day = stamps.day(of: message.time)
            headings[message.id] = heading(ofNext: message, day: day)
            last = (message, day)
        }
    }

    subscript(_ message: Int64) -> Heading { headings[message] ?? Heading() }

    /// Returns what stands above a message after all others.
    func heading(ofNext message: ChatMessage) -> Heading {
        heading(ofNext: message, day: stamps.day(of: message.time))
    }

    private func heading(ofNext message: ChatMessage, day: Int) -> Heading {
        guard let last else { return Heading(startsDay: isFromBeginning) }
        let time = abs(message.time.milliseconds - last.message.time.milliseconds)
        let isOtherDay = last.day != day
        return Heading(
            startsDay: isOtherDay,
            continuesRun: message.sender == last.message.sender && time <= Self.pause && !isOtherDay)
    }

    /// Returns the messages whose headings differ from earlier ones.
    func changes(since earlier: MessageHeadings) -> [Int64] {
        headings.filter { earlier.headings[$0.key] != $0.value }.map(\.key)
    }
}
