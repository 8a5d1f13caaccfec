// SPDX-License-Identifier: GPL-3.0-or-later

/// The places on the ways of messages at which an account encrypts and decrypts them.
@MainActor
final class EncryptionStages {
    let pipeline: MessagePipeline
    let encryption: MessageStage<OutgoingMessage>
    /// The module, which exists later than the ways of messages.
    weak var module: Encryption? {
        get { link.module }
        set { link.module = newValue }
    }

    private final class Link {
        weak var module: Encryption?
    }

    private let link: Link

    /// - Parameter isUsed: Whether messages are encrypted at all.
    init(isUsed: Bool) {
        let link = Link()
        self.link = link
        guard isUsed else {
            (pipeline, encryption) = (MessagePipeline(), MessageStage())
            return
        }
        pipeline = MessagePipeline(
            decryption: { await link.module?.decrypt($0) ?? $0 },
            where: { OMEMO.encrypted(in: $0.message) != nil })
        encryption = MessageStage({ await link.module?.encrypt($0) ?? $0 }, where: { $0.isOpen })
    }
}
