// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// A part of the stored data; damage is reported once to each, since each has lost its data.
enum StorePart: Hashable, Sendable, CaseIterable {
    case messages, history, contacts
}

enum StoreRequest: Sendable {
    case write(StoreWrite)
    case read(StoreRead)
    /// Encrypts or decrypts the file.
    case protect(Bool, @MainActor @Sendable (Result<Void, StoreProtectionFailure>) -> Void)
    case flush(@MainActor @Sendable () -> Void)
}

/// A change, which may share its transaction with others.
struct StoreWrite: Sendable {
    /// A callback that reports to the caller that the change is on the disk.
    typealias Report = @MainActor @Sendable () -> Void

    let part: StorePart
    /// Whether the data that the change overwrites must also be removed from the log.
    let isForgetting: Bool
    /// Makes the change; it is called again if an earlier attempt was rolled back.
    let body: @Sendable (StoreDatabase) throws(StoreError) -> Report
    /// Reports to the caller that nothing was changed; nil if nobody waits for the result.
    let fail: (@MainActor @Sendable (StoreError) -> Void)?

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

struct StoreRead: Sendable {
    let part: StorePart
    /// Whether the caller starts to catch up with the archive.
    let beginsCatchUp: Bool
    let body: @Sendable (StoreDatabase) throws(StoreError) -> Void
    let fail: @Sendable (StoreError) -> Void
}
