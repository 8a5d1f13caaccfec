// SPDX-License-Identifier: GPL-3.0-or-later

/// The emoticons that are shown as emoji, as a file of `data/emoticons` has them.
///
///     # A comment.
///     1F604 :) :-)
///     2764+FE0F <3
///
/// A line is the code point of an emoji, or several with `+` between them, then the forms that stand for it.
public struct Emoticons: Hashable, Sendable {
    /// The emoji of each form.
    public let emoji: [String: String]
    let longest: Int
    let firstBytes: Set<UInt8>

    /// None: each text is shown as it is.
    public static let none = Emoticons([:])
    /// The longest table that is read, in bytes.
    public static let maximumSize = 64 * 1024
    /// How many bytes a form can have.
    static let formLengths = 2...12

    private init(_ emoji: [String: String]) {
        self.emoji = emoji
        longest = emoji.keys.map(\.utf8.count).max() ?? 0
        firstBytes = Set(emoji.keys.compactMap(\.utf8.first))
    }

    /// Reads a table.
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

/// Why a text is no table of emoticons.
public struct EmoticonsError: Error, Hashable, Sendable {
    /// The line that is wrong, from 1.
    public let line: Int
    /// What is wrong with it.
    public let problem: Problem

    /// What can be wrong with a line.
    public enum Problem: Error, Hashable, Sendable {
        /// There are more than 64 KiB.
        case tooLong
        /// It is not UTF-8.
        case notText
        /// The first word is no code point beyond ASCII in hexadecimal digits.
        case codePoint(String)
        /// The emoji has no form.
        case noForm
        /// The form is shorter than 2 bytes or longer than 12.
        case form(String)
        /// The form stands in the table already.
        case twice(String)
    }
}
