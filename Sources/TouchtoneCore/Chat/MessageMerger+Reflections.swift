// SPDX-License-Identifier: GPL-3.0-or-later

// MARK: - Messages that a room sends back without their IDs

/// Some rooms, such as those of gateways to IRC, change the IDs of messages, and send back each line of a text, or each
/// part of a long one, as a message of its own.
extension MessageMerger {
    /// The number of the user’s last messages among which one is looked for.
    private static let maximumSentBack = 20

    /// Returns the user’s message that a room has sent back, whole or in part: the oldest one that waits for this, or else
    /// one that was sent not long ago.
    ///
    /// The other parts of a message are that message, too, and so are not shown.
    func sentBack(_ received: ReceivedMessage) throws(StoreError) -> ChatMessage? {
        if let name = received.name,
            let original = try table.original(of: received.buddy, from: .me, correction: name)
        {
            return try table.message(of: received.buddy, from: .me, name: original)
        }
        let mine = try table.lastMine(of: received.buddy, count: Self.maximumSentBack).reversed()
            .filter { $0.retraction == nil && $0.name != nil && !$0.isFailed }
        let waiting = mine.filter { $0.state == .waiting }
        let sent = mine.filter { $0.state != .waiting && $0.wasSent(about: received.time) }
        let isWhole = { (message: ChatMessage) in message.sentText == received.text }
        let isPart = { (message: ChatMessage) in SplitText.isPart(received.text, of: message.sentText) }
        let shown =
            mine.last { $0.name == received.name && isPart($0) } ?? waiting.first(where: isWhole)
            ?? waiting.first(where: isPart) ?? sent.last(where: isPart)
            // Two places in the archive mean two messages, even if they have the same text.
            ?? sent.last {
                isWhole($0) && ($0.archiveName == nil || received.archiveName == nil)
            }
        if let shown { return shown }
        return try deletedHere(received)
    }
}

/// The parts into which gateways split a text: its lines, and the pieces of a long line.
enum SplitText {
    /// The least length of a line that may be split, in UTF-8 bytes: IRC carries 512 with the command and the sender.
    private static let longLine = 350
    static let longestLine = 20_000
    /// The lengths of a piece that is not the last one of its line.
    private static let pieces = 150...600

    /// Returns whether a text is a part of another one, and not the whole.
    static func isPart(_ text: String, of whole: String) -> Bool {
        let (part, all) = (trimmed(text.utf8), trimmed(whole.utf8))
        guard !part.isEmpty, part.count < all.count else { return false }
        return all.split(separator: UInt8(ascii: "\n")).contains { line in
            let line = trimmed(line)
            if line.elementsEqual(part) { return true }
            return isLong(line) && isPiece(Array(part), of: Array(line))
        }
    }

    private static func isPiece(_ piece: [UInt8], of line: [UInt8]) -> Bool {
        guard piece.count < line.count else { return false }
        if line.suffix(piece.count) == piece[...] { return true }
        guard pieces.contains(piece.count) else { return false }
        return (0..<line.count - piece.count).contains { start in
            line[start] == piece[0] && line[start...].starts(with: piece)
        }
    }

    /// Returns whether a line may be split.
    static func isLong(_ line: some Collection<UInt8>) -> Bool {
        (longLine...longestLine).contains(line.count)
    }

    /// Returns whether a piece of a length may be one that is not the last of its line.
    static func mayBeMiddle(_ length: Int) -> Bool { pieces.contains(length) }

    static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0d).contains(byte) }
        let rest = bytes.drop(while: isSpace)
        let end = rest.lastIndex { !isSpace($0) }.map { rest.index(after: $0) } ?? rest.startIndex
        return rest[..<end]
    }
}
