// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// Something asked of the store.
enum StoreRequest: Sendable {
    case write(StoreWrite)
    case read(StoreRead)
    /// Nothing but to say when all before it is done.
    case flush(@MainActor @Sendable () -> Void)
}

/// A change, which may share its transaction with others.
struct StoreWrite: Sendable {
    /// Makes it.
    ///
    /// It may be called again, after what it did was taken back.
    let body: @Sendable (MessageDatabase) throws(StoreError) -> ChatChanges
    /// Who is told what came of it; nil is nobody.
    let then: (@MainActor @Sendable (Result<ChatChanges, StoreError>) -> Void)?
}

/// A question.
struct StoreRead: Sendable {
    /// Whether who asks begins to catch up with the archive.
    let beginsCatchUp: Bool
    /// Looks for the answer, and gives it to who asked.
    let body: @Sendable (MessageDatabase) throws(StoreError) -> Void
    /// Tells who asked that there is none.
    let fail: @Sendable (StoreError) -> Void
}
