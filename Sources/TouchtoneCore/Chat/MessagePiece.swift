// SPDX-License-Identifier: GPL-3.0-or-later

/// A piece of a message's text, as it is shown.
public enum MessagePiece: Hashable, Sendable {
    /// Text, as it is.
    case text(Substring)
    /// An emoticon, which is shown as an emoji.
    case emoticon(Substring, emoji: String)
    /// A link, which is shown as it is written.
    case link(Substring, TextLink)

    /// The piece as it was typed.
    public var typed: Substring {
        switch self {
        case .text(let text), .emoticon(let text, _), .link(let text, _): text
        }
    }

    /// The pieces of a text, which together are the text.
    ///
    /// The work grows with its length and no faster.
    ///
    /// An emoticon is one only as a word of its own, with at most a punctuation mark after it, and not in code (between
    /// backquotes, XEP-0393 sections 5.1.2 and 6.1).
    public static func pieces(of text: String, emoticons: Emoticons) -> [MessagePiece] {
        var text = text
        text.makeContiguousUTF8()
        var reader = MessageTokenizer(text, emoticons)
        return reader.read()
    }
}

/// Walks through a text once, from its beginning.
private struct MessageTokenizer {
    private let text: String
    private let bytes: TextBytes
    private let emoticons: Emoticons
    private var pieces: [MessagePiece] = []
    private var index = 0
    /// Up to where the text is in the pieces.
    private var done = 0
    /// Where the code that is walked through ends.
    private var codeEnd = 0
    /// Up to where it is known that no backquote closes another.
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
            // The rest of a row of digits that is no number is none either.
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

    /// Finds where the code ends that begins here, if any does.
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

    /// Adds the text from where the pieces end up to a place, if there is any.
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

    /// Whether white space ends there.
    fileprivate func isBlankBefore(_ index: Int) -> Bool {
        var start = index - 1
        while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return blankLength(start) == index - start
    }
}
