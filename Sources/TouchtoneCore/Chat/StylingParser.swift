// SPDX-License-Identifier: GPL-3.0-or-later

/// A single pass over a text that finds its styles (XEP-0393 section 5).
///
/// Each character is looked at once for each of the four directives: a search for a closing one never starts again before
/// the place that an earlier search has reached.
struct StylingParser {
    struct Run: Hashable {
        let range: Range<Int>
        let style: TextStyle
    }

    private static let fence: StaticString = "```"
    private static let newline = UInt8(ascii: "\n")

    private let bytes: TextBytes
    private var block: TextBlock
    private var runs: [Run] = []
    private var index = 0
    /// The end of the text that is already in the runs.
    private var done = 0
    /// The end of the current line.
    private var lineEnd = 0
    /// The next place that can close a span, for each directive, as far as it was looked for; the line’s end for none.
    private var closings: [Int] = []

    private init(_ bytes: TextBytes, _ block: TextBlock) {
        (self.bytes, self.block) = (bytes, block)
    }

    /// Returns the runs of a text, which join to the same text.
    ///
    /// - Parameters:
    ///   - words: The ranges of links and emoticons, in which no directive counts.
    ///   - block: The block that continues from the text before; then the one that continues after this text.
    static func runs(in bytes: TextBytes, words: [Range<Int>], block: inout TextBlock) -> [Run] {
        var masked = bytes.bytes
        for index in words.joined()
        where Directive(masked[index]) != nil || masked[index] == UInt8(ascii: ">") {
            masked[index] = UInt8(ascii: "x")
        }
        var parser = StylingParser(TextBytes(masked), block)
        parser.read()
        block = parser.block
        return parser.runs
    }

    // MARK: Blocks

    private mutating func read() {
        while index < bytes.count {
            lineEnd = bytes.bytes[index...].firstIndex(of: Self.newline) ?? bytes.count
            closings = Array(repeating: 0, count: Directive.allCases.count)
            let style = readLine()
            block.line = lineEnd == bytes.count ? style : nil
            index = min(lineEnd + 1, bytes.count)
            add(index, style)
        }
    }

    /// Reads a line up to its end, and returns its style.
    private mutating func readLine() -> TextStyle {
        if let style = block.line {
            // Marks of blocks count only at the beginning of a line.
            if block.codeDepth == nil { readSpans(until: lineEnd, style) }
            return style
        }
        var depth = 0
        while index < lineEnd, bytes[index] == UInt8(ascii: ">"), depth != block.codeDepth {
            depth += 1
            index += 1
            if index < lineEnd { index += bytes.blankLength(index) }
            add(index, [.quotation, .mark])
        }
        var style: TextStyle = depth > 0 ? .quotation : []
        // The quotation that the code belongs to has ended.
        if let code = block.codeDepth, depth < code { block.codeDepth = nil }
        let isFence = bytes.has(Self.fence, at: index)
        guard block.codeDepth != nil || isFence else {
            readSpans(until: lineEnd, style)
            return style
        }
        style.formUnion([.code, .codeBlock])
        if block.codeDepth == nil {
            block.codeDepth = depth
            add(index + 3, style.union(.mark))
        } else if isFence, index + 3 == lineEnd {
            block.codeDepth = nil
            add(lineEnd, style.union(.mark))
        }
        return style
    }

    // MARK: Spans

    private enum Directive: Int, CaseIterable {
        case strong, emphasis, strike, code

        init?(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: "*"): self = .strong
            case UInt8(ascii: "_"): self = .emphasis
            case UInt8(ascii: "~"): self = .strike
            case UInt8(ascii: "`"): self = .code
            default: return nil
            }
        }

        var style: TextStyle {
            switch self {
            case .strong: .strong
            case .emphasis: .emphasis
            case .strike: .strike
            case .code: .code
            }
        }
    }

    /// Reads the spans from the current index, which is the beginning of a block or of a span’s content.
    private mutating func readSpans(until end: Int, _ style: TextStyle) {
        let start = index
        while index < end {
            guard let directive = Directive(bytes[index]), index == start || bytes.isBlankBefore(index),
                !bytes.isBlank(index + 1), let closing = closing(directive, before: end)
            else {
                index += 1
                continue
            }
            // Without text between them, neither is a directive.
            guard closing > index + 1 else {
                index += 2
                continue
            }
            let inner = style.union(directive.style)
            add(index, style)
            index += 1
            add(index, inner.union(.mark))
            // The closing directives within belong to outer spans, so that spans are nested four deep at most.
            if directive == .code { index = closing } else { readSpans(until: closing, inner) }
            add(closing, inner)
            index = closing + 1
            add(index, inner.union(.mark))
        }
        add(end, style)
    }

    /// Returns the next place that closes a span that opens at the current index; nil if there is none before an index.
    private mutating func closing(_ directive: Directive, before end: Int) -> Int? {
        var place = max(index + 1, closings[directive.rawValue])
        while place < lineEnd, Directive(bytes[place]) != directive || bytes.isBlankBefore(place) {
            place += 1
        }
        closings[directive.rawValue] = place
        return place < end ? place : nil
    }

    private mutating func add(_ end: Int, _ style: TextStyle) {
        guard end > done else { return }
        runs.append(Run(range: done..<end, style: style))
        done = end
    }
}
