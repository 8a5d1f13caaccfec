// SPDX-License-Identifier: GPL-3.0-or-later

/// The place where short texts of an account are kept until the next start, such as the tokens of its invitations.
public struct EntryStorage {
    /// A closure that returns what is kept of an account.
    public let read: @MainActor (_ account: String) -> [String]
    public let write: @MainActor (_ account: String, _ entries: [String]) -> Void

    public init(
        read: @escaping @MainActor (_ account: String) -> [String],
        write: @escaping @MainActor (_ account: String, _ entries: [String]) -> Void
    ) {
        (self.read, self.write) = (read, write)
    }
}
