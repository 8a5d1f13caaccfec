// SPDX-License-Identifier: GPL-3.0-or-later

/// A record of what was kept of the text of a call that goes on, which decides what is to be kept next.
///
/// A line is kept when it has ended, so that there is no write for each key, and again if it is changed after that.
struct TextLog {
    /// The greatest number of bytes that are kept of a call, and of lines, each change of which counts as one.
    static let maximumBytes = 64 * 1024, maximumLines = 1_000

    private var seen = CallText()
    private var kept: [Int: String] = [:]
    private var bytes = 0
    private var count = 0
    private var isCut = false

    var isEmpty: Bool { count == 0 }

    /// Returns the parts that are to be kept now.
    ///
    /// - Parameter hasEnded: Whether the call has ended, and with it the lines that are being typed.
    mutating func take(from text: CallText, hasEnded: Bool = false, at time: ChatTime) -> [TextPart] {
        guard !isCut, text.lines != seen.lines || hasEnded else { return [] }
        seen = text
        var parts: [TextPart] = []
        for line in text.lines where (!line.isOpen || hasEnded) && kept[line.id] != line.text {
            guard take(line.text) else { return parts + [cut(at: time)] }
            kept[line.id] = line.text
            parts.append(TextPart(line.id, .line(line.side, line.text), time: time))
        }
        let present = Set(text.lines.map(\.id))
        // Those that were dropped are kept all the same.
        for id in kept.keys.sorted() where id > text.lastDropped && !present.contains(id) {
            kept[id] = nil
            parts.append(TextPart(id, .line(.farEnd, ""), time: time))
        }
        return parts
    }

    /// Counts a line, and returns whether there is room for it.
    private mutating func take(_ text: String) -> Bool {
        guard count < Self.maximumLines, bytes + text.utf8.count <= Self.maximumBytes else { return false }
        count += 1
        bytes += text.utf8.count
        return true
    }

    private mutating func cut(at time: ChatTime) -> TextPart {
        isCut = true
        return TextPart(.max, .cut, time: time)
    }
}
