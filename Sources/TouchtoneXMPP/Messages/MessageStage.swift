// SPDX-License-Identifier: GPL-3.0-or-later

/// A stage on the way of messages: it changes each in its own time, and passes them on in the order in which they came.
///
/// Nothing waits if nothing is to be changed.
@MainActor
final class MessageStage<Item: Sendable> {
    /// A change of a message, such as its decryption, which may take any time.
    typealias Change = @MainActor (Item) async -> Item

    /// The number of waiting messages above which no more should come, until half of them have passed.
    static var maximumWaiting: Int { 1000 }

    /// Called when no more messages should come, and when they may come again.
    var onCrowded: (@MainActor (Bool) -> Void)?

    private struct Entry {
        var messages: [Item]
        var remaining: Int
        let pass: @MainActor ([Item]) -> Void
    }

    private let change: Change?
    private let needsChange: @MainActor (Item) -> Bool
    /// The waiting entries by their numbers, which follow one another.
    private var entries: [Int: Entry] = [:]
    /// The numbers of the first entry that waits, and of the next one to come.
    private var (first, next) = (0, 0)
    private var waitingCount = 0
    private var (isCrowded, isPassing) = (false, false)

    /// - Parameters:
    ///   - change: The change; nil passes all messages on as they are.
    ///   - needsChange: Whether a message is changed at all.
    init(_ change: Change? = nil, where needsChange: @escaping @MainActor (Item) -> Bool) {
        (self.needsChange, self.change) = (needsChange, change)
    }

    /// - Parameter change: The change of all messages; nil passes them on as they are.
    convenience init(_ change: Change? = nil) { self.init(change, where: { _ in true }) }

    /// Changes messages side by side, and passes them on together, after those that came before.
    func enter(_ messages: [Item], pass: @escaping @MainActor ([Item]) -> Void) {
        let changing = change == nil ? [] : messages.indices.filter { needsChange(messages[$0]) }
        guard !changing.isEmpty || first < next else { return pass(messages) }
        let number = next
        next += 1
        waitingCount += messages.count
        entries[number] = Entry(messages: messages, remaining: changing.count, pass: pass)
        if let change {
            for index in changing {
                let message = messages[index]
                Task { changed(number, index, await change(message)) }
            }
        }
        passFirst()
    }

    /// Calls back when everything that has come so far has passed.
    func whenPassed(_ completion: @escaping @MainActor () -> Void) {
        if first == next { completion() } else { enter([]) { _ in completion() } }
    }

    private func changed(_ number: Int, _ index: Int, _ message: Item) {
        entries[number]?.messages[index] = message
        entries[number]?.remaining -= 1
        passFirst()
    }

    /// Passes the entries on that no longer wait for an earlier one.
    private func passFirst() {
        guard !isPassing else { return }
        isPassing = true
        while let entry = entries[first], entry.remaining == 0 {
            // Until it returns, it is still there, and what it causes to enter follows it.
            entry.pass(entry.messages)
            entries[first] = nil
            first += 1
            waitingCount -= entry.messages.count
        }
        isPassing = false
        let isFull = waitingCount > (isCrowded ? Self.maximumWaiting / 2 : Self.maximumWaiting)
        guard isFull != isCrowded else { return }
        isCrowded = isFull
        onCrowded?(isFull)
    }
}
