// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The pictures of buddies and of the user: published (XEP-0084), and in vCards and presence (XEP-0153).
@MainActor
final class Pictures: StreamModule {
    nonisolated static let features = [PubSub.avatarMetadata + "+notify"]

    private let account: AccountContext
    let client: XMPPClient
    private let fetcher: AvatarFetcher
    /// Whether the server puts a published picture into the vCard, and into presence (XEP-0398).
    private(set) var convertsPictures = true

    /// - Parameter cache: The cache of buddies' pictures; nil fetches each picture again.
    init(of account: AccountContext, cache: (any AvatarStore)?) {
        (self.account, client) = (account, account.client)
        fetcher = AvatarFetcher(
            AvatarFetcher.Source(
                published: { [client] node, owner, id throws(RequestError) in
                    try await client.published(node, by: owner, id: id)
                }, card: { [client] jid throws(RequestError) in try await client.card(of: jid) }),
            cache: cache,
            emit: { account.onEvent?(.picture($0, $1)) })
    }

    func begin() { fetcher.reset() }

    func end() { fetcher.forget() }

    func forget() { account.ownPhoto = nil }

    func handle(_ stanza: InboundStanza) -> Bool {
        switch stanza {
        case .presence(let presence):
            if let from = presence.from, account.isOwnOrBuddy(from) { fetcher.handle(presence) }
            followPhoto(of: presence)
        case .published(let change): if account.isOwnOrBuddy(change.owner) { fetcher.handle(change) }
        case .message, .sentElsewhere, .roster, .blocking, .request, .answered, .response, .archived,
            .dropped:
            break
        }
        return false
    }

    func learn(_ features: Set<String>) { convertsPictures = features.contains(VCardTemp.conversion) }

    /// Reads the user's picture, unless the server puts it into presence itself.
    func readOwn() { if !convertsPictures, account.ownPhoto == nil { tellPhoto() } }

    /// Adds the picture of the user's vCard to presence (XEP-0153), on a server that does not do this itself.
    private func tellPhoto() {
        let stream = account.stream
        stream.run { [self] in
            let card = try? await client.card()
            guard !stream.isOver, account.ownPhoto == nil, let card else { return }
            account.ownPhoto = card.photo.flatMap { AvatarFetcher.hash($0) } ?? ""
            account.onPresenceChange?()
        }
    }

    /// Reads the vCard again if another device of the user's has changed its picture (XEP-0153 sections 4.3 and 4.4).
    private func followPhoto(of presence: Presence) {
        guard let from = presence.from, from.bare == client.account.jid.bare, from != client.address,
            presence.kind == .available, !convertsPictures, let ownPhoto = account.ownPhoto,
            let hash = VCardTemp.photoHash(in: presence)?.lowercased(), hash != ownPhoto
        else { return }
        account.ownPhoto = nil
        account.onPresenceChange?()
        tellPhoto()
    }

    /// Publishes the user's picture, also as that of the vCard; nil removes both.
    func setPicture(_ picture: [UInt8]?) async throws(ChatServiceError) {
        guard client.state == .online else { throw .offline }
        let own = picture.flatMap { OwnPicture($0) }
        guard picture == nil || own != nil else {
            throw .refused(localized("This file isn’t a picture that Touchtone can use."))
        }
        do throws(RequestError) {
            if let own {
                // The contents first: others fetch them as soon as they are notified.
                try await client.publish(own.data, id: own.hash, in: PubSub.avatarData)
                try await client.publish(own.metadata, id: own.hash, in: PubSub.avatarMetadata)
            } else {
                let none = XMLElement("metadata", PubSub.avatarMetadata)
                try await client.publish(none, id: "none", in: PubSub.avatarMetadata)
            }
            // Most servers convert the picture themselves (XEP-0398).
            if !convertsPictures {
                try await client.setPhoto(own?.bytes)
                account.ownPhoto = own?.hash ?? ""
                account.onPresenceChange?()
            }
        } catch {
            throw ChatServiceError(error)
        }
        account.onEvent?(.picture(ChatAddress(client.account.jid), picture))
    }
}
