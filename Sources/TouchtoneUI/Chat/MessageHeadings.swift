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

    private let headings: [Int64: Heading]

    /// - Parameters:
    ///   - messages: The messages in their order.
    ///   - isFromBeginning: Whether there is no message before them.
    init(_ messages: some Collection<ChatMessage> = [], isFromBeginning: Bool = false, stamps: LocaleStamps) {
        var headings: [Int64: Heading] = [:]
        headings.reserveCapacity(messages.count)
        var last: (message: ChatMessage, day: Int)?
        for message in messages {
            let day = stamps.day(of: message.time)
            var heading = Heading(startsDay: last.map { $0.day != day } ?? isFromBeginning)
            if let before = last?.message {
                let time = abs(message.time.milliseconds - before.time.milliseconds)
                heading.continuesRun =
                    message.sender == before.sender && time <= Self.pause && !heading.startsDay
            }
            headings[message.id] = heading
            last = (message, day)
        }
        self.headings = headings
    }

    subscript(_ message: Int64) -> Heading { headings[message] ?? Heading() }

    /// Returns the messages whose headings differ from earlier ones.
    func changes(since earlier: MessageHeadings) -> [Int64] {
        headings.filter { earlier.headings[$0.key] != $0.value }.map(\.key)
    }
}
