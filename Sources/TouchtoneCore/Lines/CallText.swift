// SPDX-License-Identifier: GPL-3.0-or-later

/// The real-time text of a call (RFC 4103, ITU-T T.140): what each side types, as it is typed.
///
/// Each side writes lines of its own, of which it can erase the last characters.
public struct CallText: Hashable, Sendable {
    public enum Standing: Hashable, Sendable {
        /// Nobody has asked for it.
        case off
        /// The caller of the incoming call offers it.
        case offered
        /// The user has asked for it, and the other side has not answered yet.
        case asked
        /// Each side sees what the other one types.
        case active
        /// The other side has not taken it.
        case refused
    }

    public enum Side: Hashable, Sendable {
        case own
        case farEnd
    }

    /// A line that one side has typed or is typing.
    public struct Line: Hashable, Sendable, Identifiable {
        public let id: Int
        public let side: Side
        public fileprivate(set) var text = ""
        /// Whether the side has not ended the line.
        public fileprivate(set) var isOpen = true
        /// The number of Unicode scalars.
        fileprivate var count = 0
    }

    public internal(set) var standing = Standing.off
    /// The lines of both sides, in the order in which they were begun; none is empty.
    public private(set) var lines: [Line] = []
    /// The greatest id of a line that was dropped because there were too many; 0 for none.
    private(set) var lastDropped = 0
    private var lastID = 0
    private var count = 0

    /// The greatest number of Unicode scalars in a line; the next line begins there.
    public static let maximumLine = 500
    /// The greatest number of Unicode scalars and of lines that are kept; earlier lines are dropped.
    public static let maximumLength = 50_000, maximumLines = 1_000

    init() {}

    /// The text that the user is typing; empty for none.
    public var typed: String { open(.own).map { lines[$0].text } ?? "" }

    // MARK: The far end

    /// Adds a part of the far end's text, in which U+0008 erases the last character and U+2028 ends a line.
    mutating func receive(_ part: String) {
        for scalar in part.unicodeScalars {
            switch scalar {
            case "\u{8}": erase(.farEnd)
            case "\u{2028}": end(.farEnd)
            default: append(scalar, .farEnd)
            }
        }
    }

    // MARK: The user

    /// Changes the line that the user is typing.
    ///
    /// Returns the part that tells the far end so.
    mutating func type(_ text: String) -> String {
        let (old, new) = (Array(typed.unicodeScalars), Array(Self.plain(text)))
        let same = zip(old, new).prefix { $0 == $1 }.count
        for _ in same..<old.count { erase(.own) }
        for scalar in new[same...] { append(scalar, .own) }
        var part = String.UnicodeScalarView(repeatElement("\u{8}", count: old.count - same))
        part += new[same...]
        return String(part)
    }

    /// Ends the line that the user is typing, if any.
    ///
    /// Returns the part that tells the far end so.
    mutating func endTyped() -> String {
        guard open(.own) != nil else { return "" }
        end(.own)
        return "\u{2028}"
    }

    /// The characters of a typed text that are sent: on one line, and no more than a line has.
    private static func plain(_ text: String) -> String.UnicodeScalarView.SubSequence {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: scalars.append(" ")
            default: scalars.append(scalar)
            }
        }
        return scalars.prefix(maximumLine)
    }

    // MARK: Lines

    private func open(_ side: Side) -> Int? { lines.lastIndex { $0.side == side && $0.isOpen } }

    private mutating func append(_ scalar: Unicode.Scalar, _ side: Side) {
        if let index = open(side), lines[index].count == Self.maximumLine { lines[index].isOpen = false }
        if open(side) == nil {
            lastID += 1
            lines.append(Line(id: lastID, side: side))
        }
        guard let index = open(side) else { return }
        lines[index].text.unicodeScalars.append(scalar)
        lines[index].count += 1
        count += 1
        while count > Self.maximumLength || lines.count > Self.maximumLines,
            let first = lines.firstIndex(where: { !$0.isOpen })
        {
            count -= lines[first].count
            lastDropped = lines[first].id
            lines.remove(at: first)
        }
    }

    private mutating func erase(_ side: Side) {
        // The end of a line can be erased, too.
        guard let index = open(side) else {
            if let last = lines.lastIndex(where: { $0.side == side }) { lines[last].isOpen = true }
            return
        }
        lines[index].text.unicodeScalars.removeLast()
        lines[index].count -= 1
        count -= 1
        if lines[index].count == 0 { lines.remove(at: index) }
    }

    private mutating func end(_ side: Side) {
        if let index = open(side) { lines[index].isOpen = false }
    }
}
