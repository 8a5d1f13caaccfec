// SPDX-License-Identifier: GPL-3.0-or-later

/// The emoticons that are shown as emoji, read from a file in `data/emoticons`.
///
///     # A comment.
///     1F604 :) :-)
///     2764+FE0F <3
///
/// A line has the code point of an emoji, or several joined by `+`, followed by the emoticons for it.
public struct Emoticons: Hashable, Sendable {
    /// The emoji for each emoticon.
    public let emoji: [String: String]
    let longest: Int
    let firstBytes: Set<UInt8>

    /// An empty table, which shows all text unchanged.
    public static let none = Emoticons([:])
    /// The maximum size of a table, in bytes.
    public static let maximumSize = 64 * 1024
    /// The permitted lengths of an emoticon, in bytes.
    static let formLengths = 2...12

    private init(_ emoji: [String: String]) {
        self.emoji = emoji
        longest = emoji.keys.map(\.utf8.count).max() ?? 0
        firstBytes = Set(emoji.keys.compactMap(\.utf8.first))
    }

    public init(_ bytes: [UInt8]) throws(EmoticonsError) {
        guard bytes.count <= Self.maximumSize else { throw EmoticonsError(line: 1, problem: .tooLong) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw EmoticonsError(line: 1, problem: .notText)
        }
        var emoji: [String: String] = [:]
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .enumerated()
        {
            let words = line.split { $0 == " " || $0 == "\t" }
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            do throws(EmoticonsError.Problem) {
                let shown = try Self.emoji(first)
                guard words.count > 1 else { throw .noForm }
                for form in words.dropFirst() {
                    guard Self.formLengths.contains(form.utf8.count) else { throw .form(String(form)) }
                    guard emoji.updateValue(shown, forKey: String(form)) == nil else {
                        throw .twice(String(form))
                    }
                }
            } catch {
                throw EmoticonsError(line: number + 1, problem: error)
            }
        }
        self.init(emoji)
    }

    private static func emoji(_ word: Substring) throws(EmoticonsError.Problem) -> String {
        var emoji = String.UnicodeScalarView()
        for part in word.split(separator: "+", omittingEmptySubsequences: false) {
            guard part.utf8.count <= 6, part.utf8.allSatisfy({ $0 != UInt8(ascii: "-") }),
                let value = UInt32(part, radix: 16), let scalar = Unicode.Scalar(value), value >= 0x80
            else { throw .codePoint(String(word)) }
            emoji.append(scalar)
        }
        return String(emoji)
    }
}

/// The reason why a table of emoticons is invalid.
public struct EmoticonsError: Error, Hashable, Sendable {
    /// The number of the invalid line, from 1.
    public let line: Int
    public let problem: Problem

    public enum Problem: Error, Hashable, Sendable {
        case tooLong
        case notText
        /// The first word is not a non-ASCII code point in hexadecimal digits.
        case codePoint(String)
        case noForm
        /// The emoticon is shorter than 2 bytes or longer than 12.
        case form(String)
        case twice(String)
    }
}
