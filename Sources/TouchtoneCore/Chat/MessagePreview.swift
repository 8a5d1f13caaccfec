// SPDX-License-Identifier: GPL-3.0-or-later

/// The part of the last message that the list of conversations shows.
public struct MessagePreview: Hashable, Sendable {
    public enum Kind: Hashable, Sendable { case text, picture, sound, file, deleted }

    /// The message’s identifier in the store.
    public let id: Int64
    let place: Int64
    public let time: ChatTime
    public let sender: MessageSender
    public let kind: Kind
    /// The text in one line, without one the name of a file, or nothing for a deleted message.
    public let text: String

    private static let maximum = 200

    public init(_ message: ChatMessage) {
        (id, place, time, sender) = (message.id, message.place, message.time, message.sender)
        kind = Kind(message)
        let text =
            switch kind {
            case .text: message.summary
            case .picture, .sound, .file: message.fileTitle ?? ""
            case .deleted: ""
            }
        self.text = PlainText.line(text, maximum: Self.maximum)
    }
}

extension MessagePreview.Kind {
    fileprivate init(_ message: ChatMessage) {
        if message.retraction != nil {
            self = .deleted
        } else if let file = message.file, message.content.spoiler == nil {
            self = file.isPicture ? .picture : file.isSound ? .sound : .file
        } else {
            self = .text
        }
    }
}
