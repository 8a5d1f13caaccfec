// SPDX-License-Identifier: GPL-3.0-or-later

/// A part of a message’s text, for display.
public enum MessagePiece: Hashable, Sendable {
    case text(Substring)
    /// An emoticon, shown as an emoji.
    case emoticon(Substring, emoji: String)
    /// A link, shown as written.
    case link(Substring, TextLink)

    public var typed: Substring {
        switch self {
        case .text(let text), .emoticon(let text, _), .link(let text, _): text
        }
    }

    /// Splits a text, in linear time, into pieces that join to the same text.
    ///
    /// An emoticon is a word, perhaps with punctuation marks after it, and outside code (between backquotes,
    /// XEP-0393 sections 5.1.2 and 6.1).
    public static func pieces(of text: String, emoticons: Emoticons) -> [MessagePiece] {
        var text = text
        text.makeContiguousUTF8()
        var reader = MessageTokenizer(text, emoticons)
        return reader.read()
    }
}

/// A single pass over a text, from its beginning.
private struct MessageTokenizer {
    private let text: String
    private let bytes: TextBytes
    private let emoticons: Emoticons
    private var pieces: [MessagePiece] = []
    private var index = 0
    /// The end of the text that is already in the pieces.
    private var done = 0
    /// The end of the current code span.
    private var codeEnd = 0
    /// The index before which no further backquote can close a code span.
    private var openEnd = 0

    init(_ text: String, _ emoticons: Emoticons) {
        self.text = text
        bytes = TextBytes(text)
        self.emoticons = emoticons
    }

    mutating func read() -> [MessagePiece] {
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "`") { noteCode() }
            if index >= codeEnd, readEmoticon(byte) { continue }
            if byte.isLetter {
                if readURI() { continue }
            } else if byte.isDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "(") {
                if readNumbers() { continue }
            }
            index += 1
        }
        add(bytes.count, nil)
        return pieces
    }

    private mutating func readURI() -> Bool {
        guard let (end, link) = TextLink.uri(in: bytes, at: index) else { return false }
        if let link { add(index, nil); add(end) { .link($0, link) } }
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
        for (range, number) in numbers {
            add(range.lowerBound, nil)
            add(range.upperBound) { .link($0, .number(number)) }
        }
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
                add(index, nil)
                add(form) { .emoticon($0, emoji: emoji) }
                index = form
                return true
            }
            guard ".,!?".utf8.contains(bytes[form - 1]) else { return false }
            form -= 1
        }
        return false
    }

    /// Finds the end of the code span that starts at the current index, if there is one.
    private mutating func noteCode() {
        guard index >= codeEnd, index >= openEnd else { return }
        let isFence = bytes.has("```", at: index) && (index == 0 || bytes[index - 1] == UInt8(ascii: "\n"))
        var end = index + (isFence ? 3 : 1)
        while end < bytes.count {
            if isFence {
                if bytes[end] == UInt8(ascii: "\n"), bytes.has("```", at: end + 1) { break }
            } else if bytes[end] == UInt8(ascii: "`") {
                codeEnd = end + 1
                return
            } else if bytes[end] == UInt8(ascii: "\n") {
                openEnd = end
                return
            }
            end += 1
        }
        if isFence { codeEnd = min(end + 4, bytes.count) } else { openEnd = end }
    }

    private mutating func add(_ end: Int, _ make: ((Substring) -> MessagePiece)?) {
        guard end > done else { return }
        let utf8 = text.utf8
        let from = utf8.index(utf8.startIndex, offsetBy: done)
        let piece = text[from..<utf8.index(utf8.startIndex, offsetBy: end)]
        pieces.append(make?(piece) ?? .text(piece))
        done = end
    }
}

extension TextBytes {
    fileprivate func has(_ word: StaticString, at start: Int) -> Bool {
        let length = word.utf8CodeUnitCount
        guard start + length <= count else { return false }
        return word.withUTF8Buffer { $0.elementsEqual(bytes[start..<start + length]) }
    }

    /// Returns whether white space precedes an index.
    fileprivate func isBlankBefore(_ index: Int) -> Bool {
        var start = index - 1
        while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return blankLength(start) == index - start
    }
}
