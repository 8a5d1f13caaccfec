// SPDX-License-Identifier: GPL-3.0-or-later

/// The words of a text that is being typed, as a screen reader speaks them: each once, when it is complete.
public struct SpokenWords: Hashable, Sendable {
    /// The beginning of the text that was spoken, up to the end of a word.
    private var spoken = ""

    public init() {}

    /// Returns the words that have been completed since the last text; empty for none.
    ///
    /// A text that was changed before the end of the spoken words is spoken again from there.
    public mutating func complete(in text: String) -> String {
        if !text.hasPrefix(spoken) { spoken = Self.words(in: text.commonPrefix(with: spoken)) }
        let whole = Self.words(in: text)
        guard whole.utf8.count > spoken.utf8.count else { return "" }
        defer { spoken = whole }
        return Self.trimmed(whole.dropFirst(spoken.count))
    }

    /// Returns what is left to speak of the finished text, and begins a new one; empty for nothing.
    public mutating func finish(_ text: String) -> String {
        defer { spoken = "" }
        return Self.trimmed(text.hasPrefix(spoken) ? text.dropFirst(spoken.count) : text[...])
    }

    /// Returns a text up to the end of its last complete word, with the space after it.
    private static func words(in text: String) -> String {
        guard let end = text.lastIndex(where: \.isWhitespace) else { return "" }
        return String(text[...end])
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop(while: \.isWhitespace)
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}
