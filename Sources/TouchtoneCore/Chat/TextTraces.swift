// SPDX-License-Identifier: GPL-3.0-or-later

/// The traces that are kept of the text of a message that the user has deleted, so that a copy of it is known, whole or in
/// the parts into which gateways split it (`SplitText`).
///
/// Each trace has a number of 32 bits for a piece of the text, which therefore cannot be read from it.
struct TextTraces: Hashable {
    /// The traces of the whole text, of its lines, of places within its long lines, and of the ends of these.
    private(set) var whole = "", lines: Set<String> = [], places: Set<String> = [], ends: Set<String> = []

    /// The length of a place, in UTF-8 bytes.
    private static let window = 12
    /// One place of this many has a trace: a piece of a long line that is not its end has several.
    private static let sparseness: UInt32 = 16
    static let maximum = 2000

    var all: [String] { [whole] + (lines.union(places).union(ends)).sorted().prefix(Self.maximum) }

    /// The traces of a text that was sent.
    init(of text: String) {
        let bytes = SplitText.trimmed(text.utf8)
        whole = Self.trace("w", bytes)
        for line in bytes.split(separator: UInt8(ascii: "\n")).map(SplitText.trimmed) where !line.isEmpty {
            if line.count < bytes.count { lines.insert(Self.trace("l", line)) }
            guard SplitText.isLong(line) else { continue }
            places.formUnion(Self.places(of: Array(line)))
            ends.insert(Self.trace("e", line.suffix(Self.window)))
        }
    }

    /// The traces that a text which may be a part of another one has in common with it.
    ///
    /// - Returns: Nil if the text is too short to be known as a piece of a long line.
    static func piece(_ text: String) -> (places: Set<String>, end: String?)? {
        let bytes = Array(SplitText.trimmed(text.utf8))
        guard bytes.count >= window, bytes.count <= SplitText.longestLine else { return nil }
        let places = places(of: bytes)
        if SplitText.mayBeMiddle(bytes.count) { return places.isEmpty ? nil : (places, nil) }
        return (places, trace("e", bytes.suffix(window)))
    }

    static func line(_ text: String) -> String { trace("l", SplitText.trimmed(text.utf8)) }

    private static func places(of bytes: [UInt8]) -> Set<String> {
        guard bytes.count >= window else { return [] }
        var places: Set<String> = []
        for start in 0...bytes.count - window {
            let number = number(bytes[start..<start + window])
            if number % sparseness == 0 { places.insert(trace("p", number)) }
        }
        return places
    }

    private static func trace(_ kind: Character, _ bytes: some Sequence<UInt8>) -> String {
        trace(kind, number(bytes))
    }

    private static func trace(_ kind: Character, _ number: UInt32) -> String {
        "\(kind)\(String(number, radix: 36))"
    }

    /// Returns a number for some bytes: FNV-1a.
    private static func number(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
}

// MARK: - Messages that were deleted on this device

extension MessageMerger {
    /// The number of deleted messages that may have the same trace.
    private static let maximumSame = 8

    /// Returns the marker for a deleted message; no ID of a correction starts like this by chance.
    private static func marker(_ trace: String, _ number: Int) -> String {
        "deleted here: \(trace) \(number)"
    }

    /// Notes what is needed to know a copy of a message whose text is about to be deleted.
    func keepTraces(of message: ChatMessage) throws(StoreError) {
        guard message.sender == .me, let name = message.name else { return }
        for trace in TextTraces(of: message.sentText).all {
            for number in 0..<Self.maximumSame {
                let marker = Self.marker(trace, number)
                if let known = try table.original(of: message.buddy, from: .me, correction: marker) {
                    guard known == name else { continue }
                    break
                }
                try table.noteCorrection(of: message.buddy, from: .me, name: marker, original: name)
                break
            }
        }
    }

    /// Returns the user's message, deleted on this device, that a room has sent back, whole or in part.
    func deletedHere(_ received: ReceivedMessage) throws(StoreError) -> ChatMessage? {
        for name in try names(of: TextTraces(of: received.text).whole, in: received.buddy) {
            if let message = try deleted(name, received),
                message.archiveName == nil || received.archiveName == nil
            {
                return message
            }
        }
        for name in try names(of: TextTraces.line(received.text), in: received.buddy) {
            if let message = try deleted(name, received) { return message }
        }
        guard let piece = TextTraces.piece(received.text) else { return nil }
        var names: Set<String>?
        for trace in piece.places.union(piece.end.map { [$0] } ?? []) {
            let known = try self.names(of: trace, in: received.buddy)
            names = names?.intersection(known) ?? known
            if names?.isEmpty == true { return nil }
        }
        for name in names ?? [] {
            if let message = try deleted(name, received) { return message }
        }
        return nil
    }

    private func names(of trace: String, in buddy: ChatAddress) throws(StoreError) -> Set<String> {
        var names: Set<String> = []
        for number in 0..<Self.maximumSame {
            let marker = Self.marker(trace, number)
            guard let name = try table.original(of: buddy, from: .me, correction: marker) else { break }
            names.insert(name)
        }
        return names
    }

    private func deleted(_ name: String, _ received: ReceivedMessage) throws(StoreError) -> ChatMessage? {
        guard let message = try table.message(of: received.buddy, from: .me, name: name),
            message.retraction?.isHere == true, message.wasSent(about: received.time)
        else { return nil }
        return message
    }
}
