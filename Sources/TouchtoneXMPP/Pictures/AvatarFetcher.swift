// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A fetcher of buddies' pictures: as published (XEP-0084), or else from their vCards (XEP-0153).
///
/// It fetches one picture at a time, each once, because thousands of buddies may come online at once.
@MainActor
final class AvatarFetcher {
    nonisolated static let maximumBytes = 512 << 10

    struct Source {
        /// A request for an item of a node: the node, its owner and the item's id.
        let published: @MainActor (String, JID, String) async throws(RequestError) -> [PubSub.Item]
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
    /// Buddies whose pictures could not be fetched, or did not match their hash: not asked again on this stream.
    private var failed: Set<JID> = []
    private var isAsking = false
    private let source: Source
    private let cache: (any AvatarStore)?
    private let emit: @MainActor (ChatAddress, [UInt8]?) -> Void

    /// - Parameters:
    ///   - cache: The cache of pictures; nil fetches each picture again.
    ///   - emit: A closure that is called with each picture; nil if the buddy has none.
    init(
        _ source: Source, cache: (any AvatarStore)?,
        emit: @escaping @MainActor (ChatAddress, [UInt8]?) -> Void
    ) {
        (self.source, self.cache, self.emit) = (source, cache, emit)
    }

    /// Handles the metadata of a published picture (XEP-0084 section 4.2).
    func handle(_ change: PubSub.Change) {
        guard change.node == PubSub.avatarMetadata else { return }
        let infos = (change.items.first?.payload?.children("info") ?? []).filter { info in
            // A picture elsewhere on the web is not fetched: that would reveal our IP address to a stranger.
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

    func handle(_ presence: Presence) {
        guard presence.kind == .available, let from = presence.from,
            let hash = VCardTemp.photoHash(in: presence)?.lowercased(), hash.isEmpty || Self.isHash(hash),
            // A published picture takes precedence.
            known[from.bare]?.origin != .published
        else { return }
        want(hash.isEmpty ? nil : hash, of: from.bare, .card)
    }

    /// Discards pending fetches, because the stream ended.
    func reset() {
        for buddy in failed.union(queue.map(\.buddy)) { known[buddy] = nil }
        (queue, failed) = ([], [])
    }

    /// Discards what is known of all buddies, because the user signed out: everything is reported again afterwards.
    func forget() {
        reset()
        known = [:]
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
        guard let hash else { return emit(ChatAddress(buddy), nil) }
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
        var kept = await cache?.picture(named: wanted.hash)
        if let bytes = kept, Self.hash(bytes) != wanted.hash { kept = nil }
        let found: [UInt8]?
        if let kept { found = kept } else { found = await ask(wanted) }
        // The buddy may have a different picture by now.
        guard known[wanted.buddy]?.hash == wanted.hash else { return }
        guard let found, found.count <= Self.maximumBytes, Self.hash(found) == wanted.hash else {
            failed.insert(wanted.buddy)
            return
        }
        failed.remove(wanted.buddy)
        if kept == nil { cache?.keep(found, named: wanted.hash) }
        emit(ChatAddress(wanted.buddy), found)
    }

    private func ask(_ wanted: Wanted) async -> [UInt8]? {
        do throws(RequestError) {
            switch wanted.origin {
            case .card: return try await source.card(wanted.buddy).photo
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

    /// Returns the SHA-1 in lower-case hex; nil if the system's policy forbids SHA-1.
    nonisolated static func hash(_ bytes: [UInt8]) -> String? { SCRAMHash.sha1.hex(of: bytes) }
}
