// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// What is kept for whom: each of them is told of damage once, since each has lost what it had.
enum StorePart: Hashable, Sendable, CaseIterable {
    case messages, history, contacts
}

/// Something asked of the store.
enum StoreRequest: Sendable {
    case write(StoreWrite)
    case read(StoreRead)
    /// Nothing but to say when all before it is done.
    case flush(@MainActor @Sendable () -> Void)
}

/// A change, which may share its transaction with others.
struct StoreWrite: Sendable {
    /// Tells who asked that it is on the disk.
    typealias Telling = @MainActor @Sendable () -> Void

    let part: StorePart
    /// Whether nothing of what it overwrites may be left in the log either.
    let isForgetting: Bool
    /// Makes it.
    ///
    /// It may be called again, after what it did was taken back.
    let body: @Sendable (StoreDatabase) throws(StoreError) -> Telling
    /// Tells who asked that nothing was changed; nil where nobody is told.
    let fail: (@MainActor @Sendable (StoreError) -> Void)?

    /// - Parameter then: who is told what came of it; nil is nobody.
    init<Value: Sendable>(
        _ part: StorePart, isForgetting: Bool = false,
        _ body: @escaping @Sendable (StoreDatabase) throws(StoreError) -> Value,
        completion: (@MainActor @Sendable (Result<Value, StoreError>) -> Void)?
    ) {
        self.part = part
        self.isForgetting = isForgetting
        self.body = { database throws(StoreError) in
            let value = try body(database)
            return { completion?(.success(value)) }
        }
        if let completion { fail = { completion(.failure($0)) } } else { fail = nil }
    }
}

/// A question.
struct StoreRead: Sendable {
    let part: StorePart
    /// Whether who asks begins to catch up with the archive.
    let beginsCatchUp: Bool
    /// Looks for the answer, and gives it to who asked.
    let body: @Sendable (StoreDatabase) throws(StoreError) -> Void
    /// Tells who asked that there is none.
    let fail: @Sendable (StoreError) -> Void
}
