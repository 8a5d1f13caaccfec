// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A picture of the user's to publish (XEP-0084): a PNG file, with what its header says.
struct OwnPicture {
    let bytes: [UInt8]
    /// The SHA-1 in lower-case hex, which is the id of the published item.
    let hash: String
    let width, height: Int

    /// Creates a picture; returns nil if it is not a PNG file, or too large to be shown by others.
    init?(_ bytes: [UInt8]) {
        let header: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        guard bytes.count > 24, bytes.starts(with: header), bytes.count <= AvatarFetcher.maximumBytes,
            let hash = AvatarFetcher.hash(bytes)
        else { return nil }
        (self.bytes, self.hash) = (bytes, hash)
        (width, height) = (Self.number(bytes[16..<20]), Self.number(bytes[20..<24]))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// The description that others are notified of.
    var metadata: XMLElement {
        let info = XMLElement(
            "info", PubSub.avatarMetadata,
            [
                "id": hash, "type": "image/png", "bytes": "\(bytes.count)", "width": "\(width)",
                "height": "\(height)",
            ])
        return XMLElement("metadata", PubSub.avatarMetadata, [:], [info])
    }

    var data: XMLElement { XMLElement("data", PubSub.avatarData, text: Base64.encode(bytes)) }
}

// The user's own picture.
extension XMPPChat {
    /// Adds the picture of the user's vCard to presence (XEP-0153), on a server that does not do this itself.
    func tellPhoto() {
        let turn = turn
        Task {
            let card = try? await client.card()
            guard turn == self.turn, ownPhoto == nil, let card else { return }
            ownPhoto = card.photo.map { AvatarFetcher.hash($0.bytes) ?? "" } ?? ""
            if isPresenceTold { tellPresence() }
        }
    }

    /// Reads the vCard again if another device of the user's has changed its picture (XEP-0153 sections 4.3 and 4.4).
    func followPhoto(of presence: Presence) {
        guard let from = presence.from, from.bare == client.account.jid.bare, from != client.address,
            presence.kind == .available, !convertsPictures, let ownPhoto,
            let hash = VCardTemp.photoHash(in: presence)?.lowercased(), hash != ownPhoto
        else { return }
        self.ownPhoto = nil
        tellPresence()
        tellPhoto()
    }

    /// Publishes the user's picture, also as that of the vCard; nil removes both.
    public func setPicture(_ picture: [UInt8]?) async throws(ChatServiceError) {
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
                ownPhoto = own?.hash ?? ""
                tellPresence()
            }
        } catch {
            throw ChatServiceError(error)
        }
        onEvent?(.picture(ChatAddress(client.account.jid), picture))
    }
}
