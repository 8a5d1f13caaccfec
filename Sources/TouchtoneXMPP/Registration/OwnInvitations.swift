// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The place where the tokens of invitations are kept that were made here, so that they count after the next start.
public struct InvitationStorage {
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

/// The invitations that were made here and have not been used (XEP-0379).
struct OwnInvitations: Hashable {
    /// The greatest number of them: a new one takes the place of the oldest.
    static let maximum = 20
    static let lifetime = Duration.seconds(7 * 24 * 3600)
    /// The length of a token, whose characters have almost 6 bits each.
    private static let tokenLength = 24

    private struct Entry: Hashable {
        let token: String
        let expiry: ChatTime
    }

    private var list: [Entry] = []

    /// Reads the entries of a storage, each a token and the time in milliseconds until which it counts.
    init(_ entries: [String] = []) {
        list = entries.suffix(Self.maximum).compactMap { entry in
            let parts = entry.split(separator: " ")
            guard parts.count == 2, parts[0].utf8.count == Self.tokenLength, let time = Int64(parts[1])
            else { return nil }
            return Entry(token: String(parts[0]), expiry: ChatTime(milliseconds: time))
        }
    }

    var entries: [String] { list.map { "\($0.token) \($0.expiry.milliseconds)" } }

    mutating func make(now: ChatTime) -> (token: String, expiry: ChatTime) {
        removeExpired(now)
        let entry = Entry(
            token: RandomText.make(Self.tokenLength), expiry: now - (Duration.zero - Self.lifetime))
        list = list.suffix(Self.maximum - 1) + [entry]
        return (entry.token, entry.expiry)
    }

    /// Uses up the invitation of a token; returns false if there is none that counts.
    mutating func use(_ token: String, now: ChatTime) -> Bool {
        removeExpired(now)
        guard let index = list.firstIndex(where: { $0.token == token }) else { return false }
        list.remove(at: index)
        return true
    }

    /// Removes those that have expired, and those of a clock that was wrong.
    private mutating func removeExpired(_ now: ChatTime) {
        let latest = now - (Duration.zero - Self.lifetime)
        list.removeAll { $0.expiry <= now || $0.expiry > latest }
    }
}
