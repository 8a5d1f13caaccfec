// SPDX-License-Identifier: GPL-3.0-or-later

/// The style of a piece of a message’s text (XEP-0393).
public struct TextStyle: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let strong = TextStyle(rawValue: 1)
    public static let emphasis = TextStyle(rawValue: 2)
    public static let strike = TextStyle(rawValue: 4)
    /// Code, in a line or in a block.
    public static let code = TextStyle(rawValue: 8)
    /// A line of a block of code.
    public static let codeBlock = TextStyle(rawValue: 16)
    /// A line of a quotation.
    public static let quotation = TextStyle(rawValue: 32)
    /// A mark that gives the text beside it its style.
    public static let mark = TextStyle(rawValue: 64)
}

/// A piece of a message’s text, and its style.
public struct StyledPiece: Hashable, Sendable {
    public let piece: MessagePiece
    public let style: TextStyle

    public init(_ piece: MessagePiece, _ style: TextStyle) {
        (self.piece, self.style) = (piece, style)
    }
}

/// The block that continues from one part of a text to the next one, if a long text is read in parts.
public struct TextBlock: Hashable, Sendable {
    /// The number of quotation marks in front of each line of the open block of code; nil if none is open.
    var codeDepth: Int?
    /// The style of the line that the next part continues; nil if that begins a line.
    var line: TextStyle?

    /// The beginning of a text.
    public init() {}
}
