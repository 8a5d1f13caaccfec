// SPDX-License-Identifier: GPL-3.0-or-later

/// An emoticon or a link in a text.
struct MessageToken {
    let range: Range<Int>
    let piece: (Substring) -> MessagePiece
    let isEmoticon: Bool
}

/// A single pass over a text, from its beginning, which finds its emoticons and links.
struct MessageTokenizer {
    private let bytes: TextBytes
    private let emoticons: Emoticons
    private var tokens: [MessageToken] = []
    private var index = 0

    private init(_ bytes: TextBytes, _ emoticons: Emoticons) {
        (self.bytes, self.emoticons) = (bytes, emoticons)
    }

    /// Returns the tokens in the order of the text.
    static func tokens(in bytes: TextBytes, _ emoticons: Emoticons) -> [MessageToken] {
        var tokenizer = MessageTokenizer(bytes, emoticons)
        tokenizer.read()
        return tokenizer.tokens
    }

    private mutating func read() {
        while index < bytes.count {
            let byte = bytes[index]
            if readEmoticon(byte) { continue }
            if byte.isLetter {
                if readURI() { continue }
            } else if byte.isDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "(") {
                if readNumbers() { continue }
            }
            index += 1
        }
    }

    private mutating func readURI() -> Bool {
        guard let (end, link) = TextLink.uri(in: bytes, at: index) else { return false }
        if let link { add(index..<end, link) }
        index = end
        return true
    }

    private mutating func readNumbers() -> Bool {
        guard let (end, numbers) = PhoneNumberFinder.numbers(in: bytes, at: index) else {
            // The rest of a row of digits that is not a number cannot be one either.
            guard bytes[index].isDigit else { return false }
            while index < bytes.count, bytes[index].isDigit { index += 1 }
            return true
        }
        for (range, number) in numbers { add(range, .number(number)) }
        index = end
        return true
    }

    private mutating func readEmoticon(_ first: UInt8) -> Bool {
        guard emoticons.firstBytes.contains(first), index == 0 || bytes.isBlankBefore(index) else {
            return false
        }
        var end = index
        while end - index <= emoticons.longest + 3, !bytes.isBlank(end) { end += 1 }
        guard bytes.isBlank(end) else { return false }
        var form = end
        while form > index {
            if let emoji = emoticons.emoji[bytes.string(index..<form)] {
                tokens.append(
                    MessageToken(
                        range: index..<form, piece: { .emoticon($0, emoji: emoji) }, isEmoticon: true))
                index = form
                return true
            }
            guard ".,!?".utf8.contains(bytes[form - 1]) else { return false }
            form -= 1
        }
        return false
    }

    private mutating func add(_ range: Range<Int>, _ link: TextLink) {
        tokens.append(MessageToken(range: range, piece: { .link($0, link) }, isEmoticon: false))
    }
}
