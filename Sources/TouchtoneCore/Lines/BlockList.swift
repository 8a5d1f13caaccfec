// SPDX-License-Identifier: GPL-3.0-or-later

/// The callers whose calls do not ring.
///
/// The setting that has its entries is their only place: a change is saved, and comes back with `entries`.
@MainActor
public final class BlockList {
    /// The entries as they are stored, in the order in which they were added; those that cannot be read block nobody.
    public var entries: [String] = [] {
        didSet {
            guard entries != oldValue else { return }
            read()
            observers.notify(())
        }
    }

    public private(set) var callers: [BlockedCaller] = []

    /// Saves the entries after a change by the user; nil if they cannot be changed.
    public var save: (@MainActor ([String]) -> Void)?

    /// Returns a number as it is written abroad, in the user's region; unchanged if that has no such number.
    public var international: @MainActor (DialledNumber) -> DialledNumber = { $0 }

    /// The greatest number of entries.
    public static let capacity = 2000
    /// The greatest size of a file that is imported, in bytes.
    public static let maximumFileSize = 1 << 20

    private var blocked = Callers()
    private let observers = Observers<Void>()

    public init() {}

    /// Calls `body` after each change of the entries, as long as `owner` exists.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner, body)
    }

    private func read() {
        callers = entries.prefix(Self.capacity).compactMap { BlockedCaller($0) }
        blocked = Callers()
        for caller in callers { blocked.insert(caller) }
    }

    // MARK: - Comparison

    /// Whether calls from a far end do not ring, by its number or by its address.
    public func blocks(_ remote: RemoteParty) -> Bool {
        if let address = BlockedCaller.address(of: remote), blocks(.address(address)) { return true }
        return blocks(.number(remote.number))
    }

    public func blocks(_ caller: BlockedCaller) -> Bool { blocked.contains(caller, isSame) }

    /// Returns whether two numbers reach the same phone: equal ones abroad, or else equal last digits.
    private func isSame(_ left: DialledNumber, _ right: DialledNumber) -> Bool {
        let (one, other) = (international(left), international(right))
        guard one.text.hasPrefix("+"), other.text.hasPrefix("+") else { return NumberKey.isSame(left, right) }
        return one.main == other.main
    }

    private func isSame(_ left: BlockedCaller, _ right: BlockedCaller) -> Bool {
        guard case (.number(let one), .number(let other)) = (left, right) else { return left == right }
        return isSame(one, other)
    }

    // MARK: - Changes

    /// Whether the user can change the list.
    public var isEditable: Bool { save != nil }

    /// Whether more callers can be added.
    public var hasRoom: Bool { entries.count < Self.capacity }

    /// Adds callers, as far as there is room, and returns how many were not blocked before.
    @discardableResult
    public func block(_ new: [BlockedCaller]) -> Int {
        guard let save else { return 0 }
        var (added, known): ([String], Set<String>) = ([], [])
        for caller in new where entries.count + added.count < Self.capacity && !blocks(caller) {
            if known.insert(caller.text).inserted { added.append(caller.text) }
        }
        if !added.isEmpty { save(entries + added) }
        return added.count
    }

    /// Removes all entries that block one of the callers.
    public func unblock(_ callers: [BlockedCaller]) {
        guard let save else { return }
        let left = entries.filter { entry in
            guard let blocked = BlockedCaller(entry) else { return true }
            return !callers.contains { isSame($0, blocked) }
        }
        if left.count != entries.count { save(left) }
    }

    // MARK: - Files

    /// The list as a text file: one number or address in a line.
    public var text: String { callers.map { $0.text + "\n" }.joined() }

    /// The result of adding the callers of a file.
    public struct Addition: Hashable, Sendable {
        public var added = 0
        /// Those who were blocked before, or who are in the file more than once.
        public var known = 0
        /// Those for whom there was no room.
        public var leftOut = 0
    }

    /// The callers of a file that are compared at a time; region by region, a number takes some ten microseconds.
    private static let step = 50

    /// Adds callers who were read from a file, as far as there is room, all at once at the end.
    ///
    /// - Parameters:
    ///   - isWanted: Whether they are still to be added.
    ///   - rest: Returns when the window has been drawn, between the pieces of the work.
    public func add(
        _ new: [BlockedCaller], isWanted: @MainActor () -> Bool = { true },
        rest: @MainActor () async -> Void = { await Task.yield() }
    ) async -> Addition {
        var (result, fresh, accepted) = (Addition(), [BlockedCaller](), Callers())
        for (index, caller) in new.enumerated() {
            if index > 0, index.isMultiple(of: Self.step) { await rest() }
            guard isWanted() else { return Addition() }
            if blocks(caller) || accepted.contains(caller, isSame) {
                result.known += 1
            } else if entries.count + fresh.count >= Self.capacity {
                result.leftOut += 1
            } else {
                fresh.append(caller)
                accepted.insert(caller)
            }
        }
        result.added = block(fresh)
        return result
    }
}

/// Callers that are found by their numbers in any form, and by their addresses.
@MainActor
private struct Callers {
    private var numbers: [NumberKey: [DialledNumber]] = [:]
    private var addresses: Set<String> = []

    mutating func insert(_ caller: BlockedCaller) {
        switch caller {
        case .number(let number):
            if let key = NumberKey(number) { numbers[key, default: []].append(number) }
        case .address(let address): addresses.insert(address)
        }
    }

    func contains(_ caller: BlockedCaller, _ isSame: (DialledNumber, DialledNumber) -> Bool) -> Bool {
        switch caller {
        case .number(let number):
            guard let key = NumberKey(number), let similar = numbers[key] else { return false }
            return similar.contains { isSame($0, number) }
        case .address(let address): return addresses.contains(address)
        }
    }
}
