// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The thumbnails that messages have only by their hashes, which are asked of the sender’s device (XEP-0231).
///
/// The question tells the device that this one is online, so that only those are asked who see the user’s presence.
@MainActor
final class Thumbnails: StreamModule {
    /// The greatest number of questions that wait for their answers; other thumbnails are not asked for.
    static let maximumAtOnce = 4

    private let account: AccountContext
    private var count = 0

    init(of account: AccountContext) { self.account = account }

    func begin() { count = 0 }

    func handle(_ stanza: InboundStanza) -> Bool {
        // A device that sent a message some time ago may be gone, and one that wrote elsewhere is not asked.
        if case .message(let message, nil) = stanza { look(at: message) }
        return false
    }

    private func look(at message: Message) {
        guard message.kind != .groupchat, message.kind != .error, let from = message.from, !from.isBare,
            let name = MessageReader.stanzaID(of: message), count < Self.maximumAtOnce,
            mayAsk(ChatAddress(from.bare)), let bits = FileSharing.missingThumbnail(in: message)
        else { return }
        count += 1
        let (account, stream) = (account, account.stream)
        stream.run { [weak self] in
            let answer = try? await account.client.request(.get, to: from, bits.request)
            guard let self, !stream.isOver else { return }
            count -= 1
            guard let answer = answer ?? nil,
                let text = bits.content(of: answer, maximum: SharedFile.maximumThumbnail)
            else { return }
            // The message may still be on its way.
            account.pipeline.whenReported {
                account.emit([.thumbnail(text, buddy: ChatAddress(from.bare), name: name)])
            }
        }
    }

    private func mayAsk(_ buddy: ChatAddress) -> Bool {
        account.roster.record(of: buddy)?.toldByMe == true && !account.roster.blocked.contains(buddy)
    }
}
