// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Keeps buddies' pictures from one run to the next, by their SHA-1 in lower-case hex.
@MainActor
public protocol AvatarStore: AnyObject {
    /// The picture of that name; nil if it is not kept.
    func picture(named sha1: String) async -> [UInt8]?
    /// Keeps a picture, which has that SHA-1.
    func keep(_ picture: [UInt8], named sha1: String)
}

/// Gets buddies' pictures: as they publish them (XEP-0084), or else as their card has them (XEP-0153).
///
/// One at a time, and each once: buddies come online by the thousand.
@MainActor
final class AvatarFetcher {
    /// The most bytes of a picture.
    static let maximumBytes = 512 << 10

    /// Asks for what is published, or for a card.
    struct Source {
        /// The items of a node.
        let published: @MainActor (String, JID, String) async throws(RequestError) -> [PubSub.Item]
        /// The card.
        let card: @MainActor (JID) async throws(RequestError) -> VCardTemp
    }

    private enum Origin { case published, card }

    private struct Wanted {
        let buddy: JID
        let hash: String
        let origin: Origin
    }

    private var known: [JID: (hash: String, origin: Origin)] = [:]
    private var queue: [Wanted] = []
    /// Those whose pictures did not come, or were not what they were said to be: not asked again on this stream.
    private var failed: Set<JID> = []
    private var isAsking = false
    private let source: Source
    private let cache: (any AvatarStore)?
    private let tell: @MainActor (ChatAddress, [UInt8]?) -> Void

    /// Creates it.
    ///
    /// - Parameter tell: called with each picture; nil is none.
    init(
        _ source: Source, cache: (any AvatarStore)?,
        tell: @escaping @MainActor (ChatAddress, [UInt8]?) -> Void
    ) {
        self.source = source
        self.cache = cache
        self.tell = tell
    }

    /// A buddy tells what its picture is (XEP-0084 section 4.2).
    func take(_ change: PubSub.Change) {
        guard change.node == PubSub.avatarMetadata else { return }
        let infos = (change.items.first?.payload?.children("info") ?? []).filter { info in
            // What is elsewhere on the web is not asked for: it would tell a stranger where we are.
            info["url"] == nil && info["id"].map(Self.isHash) == true
                && info["bytes"].flatMap { Int($0) }.map { $0 > 0 && $0 <= Self.maximumBytes } == true
        }
        guard let info = infos.first(where: { $0["type"] == "image/png" }) ?? infos.first,
            let hash = info["id"]?.lowercased()
        else {
            let isNone = change.isEmptied || change.items.first?.payload?.children("info").isEmpty == true
            if isNone { want(nil, of: change.owner, .published) }
            return
        }
        want(hash, of: change.owner, .published)
    }

    /// A buddy's presence tells what is on its card.
    func take(_ presence: Presence) {
        guard presence.kind == .available, let from = presence.from,
            let hash = VCardTemp.photoHash(in: presence)?.lowercased(), hash.isEmpty || Self.isHash(hash),
            // What is published counts for more.
            known[from.bare]?.origin != .published
        else { return }
        want(hash.isEmpty ? nil : hash, of: from.bare, .card)
    }

    /// Forgets what is asked for: the stream is gone.
    func reset() {
        for buddy in failed.union(queue.map(\.buddy)) { known[buddy] = nil }
        (queue, failed) = ([], [])
    }

    private static func isHash(_ text: String) -> Bool {
        text.utf8.count == 40
            && text.utf8.allSatisfy { "0123456789abcdefABCDEF".utf8.contains($0) }
    }

    private func want(_ hash: String?, of buddy: JID, _ origin: Origin) {
        let before = known[buddy]
        guard (before?.hash ?? "") != (hash ?? "") else {
            if hash != nil { known[buddy]?.origin = origin }
            return
        }
        queue.removeAll { $0.buddy == buddy }
        known[buddy] = hash.map { ($0, origin) }
        guard let hash else { return tell(ChatAddress(buddy), nil) }
        queue.append(Wanted(buddy: buddy, hash: hash, origin: origin))
        guard !isAsking else { return }
        isAsking = true
        Task {
            while let wanted = queue.first {
                queue.removeFirst()
                await get(wanted)
            }
            isAsking = false
        }
    }

    private func get(_ wanted: Wanted) async {
        let kept = await cache?.picture(named: wanted.hash)
        let found: [UInt8]?
        if let kept { found = kept } else { found = await ask(wanted) }
        // Another may have taken its place meanwhile.
        guard known[wanted.buddy]?.hash == wanted.hash else { return }
        guard let found, found.count <= Self.maximumBytes, Self.hash(found) == wanted.hash else {
            failed.insert(wanted.buddy)
            return
        }
        failed.remove(wanted.buddy)
        if kept == nil { cache?.keep(found, named: wanted.hash) }
        tell(ChatAddress(wanted.buddy), found)
    }

    private func ask(_ wanted: Wanted) async -> [UInt8]? {
        do throws(RequestError) {
            switch wanted.origin {
            case .card: return try await source.card(wanted.buddy).photo?.bytes
            case .published:
                let items = try await source.published(PubSub.avatarData, wanted.buddy, wanted.hash)
                let data = items.first { $0.id.lowercased() == wanted.hash }?.payload
                guard let data, data.isNamed("data", PubSub.avatarData) else { return nil }
                return Base64.decode(String(data.text.filter { !$0.isWhitespace }))
            }
        } catch {
            return nil
        }
    }

    /// SHA-1 in lower-case hex; nil where the system forbids it.
    static func hash(_ bytes: [UInt8]) -> String? {
        let digits = Array("0123456789abcdef")
        return (try? SCRAMHash.sha1.hash(bytes)).map { hash in
            String(hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
        }
    }
}
