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

    /// Returns whether a key may watch a number or an address: not those of emergency services.
    public func canWatch(_ target: CallTarget) -> Bool { target.dialledNumber.map { !emergency($0) } ?? true }

    /// Returns the line that watches a number or an address; nil if none does.
    public func line(watching target: CallTarget) -> (any Line)? {
        guard canWatch(target) else { return nil }
        return watchingLines.first { $0.extensions?.wanted.contains(target) == true }
    }

    /// Returns what the extension of a memory key does; nil if the key watches none.
    public func state(ofKey digit: Int) -> ExtensionState? { states[digit] }

    /// Lets a line watch a number or an address, and no other line; nil ends it.
    public func watch(_ target: CallTarget, on id: String?) {
        for line in watchingLines { line.extensions?.setWanted(line.id == id, target) }
        follow()
    }

    public func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner) { _ in body() }
    }

    private func follow() {
        let targets = contacts.memory.sorted { $0.key < $1.key }.map(\.value.target)
        for line in watchingLines where line.extensions?.onKeys != targets {
            line.extensions?.onKeys = targets
        }
        let present = contacts.memory.compactMapValues { key in
            line(watching: key.target)?.extensions?.state(of: key.target)
        }
        guard present != states else { return }
        states = present
        observers.notify(())
    }
}
