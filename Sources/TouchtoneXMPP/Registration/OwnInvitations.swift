// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The invitations that were made here (XEP-0379): those that have not been used, and who has used the others.
///
/// A request comes again if the connection broke before it was answered. It counts again for the person who has used its
/// token, until the token would have expired or the person is removed.
struct OwnInvitations: Hashable {
    /// The greatest number of them: a new one takes the place of the oldest.
    static let maximum = 20
    static let lifetime = Duration.seconds(7 * 24 * 3600)
    /// The length of a token, whose characters have almost 6 bits each.
    private static let tokenLength = 24

    private struct Entry: Hashable {
        let token: String
        let expiry: ChatTime
        /// The person who has used it; nil if nobody has.
        var user: JID?
    }

    private var list: [Entry] = []

    /// Reads the entries of a storage, each a token, the time in milliseconds until which it counts, and perhaps a person.
    init(_ entries: [String] = []) {
        list = entries.suffix(Self.maximum).compactMap { entry in
            // A bare address may contain no space.
            let parts = entry.split(separator: " ")
            guard (2...3).contains(parts.count), parts[0].utf8.count == Self.tokenLength,
                let time = Int64(parts[1])
            else { return nil }
            let user = parts.count == 3 ? JID(String(parts[2])) : nil
            guard parts.count == 2 || user?.isBare == true else { return nil }
            return Entry(token: String(parts[0]), expiry: ChatTime(milliseconds: time), user: user)
        }
    }

    var entries: [String] {
        list.map { entry in
            "\(entry.token) \(entry.expiry.milliseconds)" + (entry.user.map { " \($0)" } ?? "")
        }
    }

    mutating func make(now: ChatTime) -> (token: String, expiry: ChatTime) {
        removeExpired(now)
        let entry = Entry(
            token: RandomText.make(Self.tokenLength), expiry: now - (Duration.zero - Self.lifetime))
        if list.count >= Self.maximum {
            // Used ones make room first.
            list.remove(at: list.firstIndex { $0.user != nil } ?? 0)
        }
        list.append(entry)
        return (entry.token, entry.expiry)
    }

    /// Uses up the invitation of a token; returns false if there is none that counts for the person.
    mutating func use(_ token: String, by person: JID, now: ChatTime) -> Bool {
        removeExpired(now)
        guard let index = list.firstIndex(where: { $0.token == token }) else { return false }
        let user = list[index].user ?? person.bare
        list[index].user = user
        return user == person.bare
    }

    /// Forgets the invitations that a person has used.
    mutating func remove(usedBy person: JID) { list.removeAll { $0.user == person.bare } }

    /// Removes those that have expired, and those of a clock that was wrong.
    private mutating func removeExpired(_ now: ChatTime) {
        let latest = now - (Duration.zero - Self.lifetime)
        list.removeAll { $0.expiry <= now || $0.expiry > latest }
    }
}
