// SPDX-License-Identifier: GPL-3.0-or-later

/// The memory keys that watch an extension of a telephone system: their lamps, and the lines that know.
@MainActor
public final class OfficeKeys {
    private let lines: LineRegistry
    private let contacts: ContactBook
    private let emergency: @MainActor (DialledNumber) -> Bool
    private let observers = Observers<Void>()
    private var states: [Int: ExtensionState] = [:]

    /// - Parameter emergency: Returns whether a number is one of an emergency service, which no key watches.
    public init(
        lines: LineRegistry, contacts: ContactBook, emergency: @escaping @MainActor (DialledNumber) -> Bool
    ) {
        (self.lines, self.contacts, self.emergency) = (lines, contacts, emergency)
        lines.observe(by: self) { [weak self] _ in self?.follow() }
        contacts.observe(by: self) { [weak self] in if $0 == .memory { self?.follow() } }
        follow()
    }

    /// The lines that can watch extensions.
    public var watchingLines: [any Line] { lines.lines.filter { $0.extensions != nil } }

    /// Returns the line that watches a number; nil if none does.
    public func line(watching number: DialledNumber) -> (any Line)? {
        guard !emergency(number) else { return nil }
        return watchingLines.first { $0.extensions?.wanted.contains(number) == true }
    }

    /// Returns what the extension of a memory key does; nil if the key watches none.
    public func state(ofKey digit: Int) -> ExtensionState? { states[digit] }

    /// Lets a line watch a number, and no other line; nil ends it.
    public func watch(_ number: DialledNumber, on id: String?) {
        for line in watchingLines { line.extensions?.setWanted(line.id == id, number) }
        follow()
    }

    public func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner) { _ in body() }
    }

    private func follow() {
        let numbers = contacts.memory.sorted { $0.key < $1.key }.map(\.value.number)
        for line in watchingLines where line.extensions?.onKeys != numbers {
            line.extensions?.onKeys = numbers
        }
        let present = contacts.memory.compactMapValues { key in
            line(watching: key.number)?.extensions?.state(of: key.number)
        }
        guard present != states else { return }
        states = present
        observers.notify(())
    }
}
