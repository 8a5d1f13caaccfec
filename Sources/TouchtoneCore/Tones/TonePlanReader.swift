// SPDX-License-Identifier: GPL-3.0-or-later

/// A parser for the lines of a tone plan, in the format that `TonePlan` describes.
struct TonePlanReader {
    typealias Problem = TonePlanError.Problem

    /// The words of a part that are not parsed yet.
    private var words: ArraySlice<Substring>

    static func statement(_ line: Substring) throws(Problem) -> (name: String, value: Substring) {
        guard let colon = line.firstIndex(of: ":") else { throw .notAStatement }
        let name = trimmed(line[..<colon])
        let value = trimmed(line[line.index(after: colon)...])
        guard !name.isEmpty, !value.isEmpty else { throw .notAStatement }
        return (String(name), value)
    }

    /// Returns a sound with its parts and the number of repetitions.
    static func cadence(_ text: Substring) throws(Problem) -> Cadence {
        var segments: [Cadence.Segment] = []
        var parts = text.split(separator: ",", omittingEmptySubsequences: false).map(trimmed)[...]
        let cycles = try cycles(of: &parts)
        for part in parts {
            guard segments.last?.milliseconds != nil || segments.isEmpty else { throw .afterContinuous }
            var reader = TonePlanReader(words: part.split(whereSeparator: isBlank)[...])
            try reader.readPart(into: &segments)
        }
        guard let cadence = Cadence(segments, cycles: cycles) else {
            throw .expected(localized("a frequency"), found: "")
        }
        return cadence
    }

    /// Removes the last part and returns its number of repetitions; nil if it has none.
    private static func cycles(of parts: inout ArraySlice<Substring>) throws(Problem) -> Int? {
        guard parts.count > 1, let last = parts.last else { return nil }
        if last == "once" {
            parts.removeLast()
            return 1
        }
        let words = last.split(whereSeparator: isBlank)
        guard words.count == 2, words[1] == "times" else { return nil }
        guard let count = whole(words[0]), Cadence.cycleRange.contains(count) else {
            throw .times(String(words[0]))
        }
        parts.removeLast()
        return count
    }

    private mutating func readPart(into segments: inout [Cadence.Segment]) throws(Problem) {
        let tones = try readTones()
        guard let first = words.first else { throw .expected(localized("“on” or “continuous”"), found: "") }
        if first == "continuous" {
            words.removeFirst()
            guard words.isEmpty else { throw .afterContinuous }
            try Self.append(Cadence.Segment(tones, milliseconds: nil), to: &segments)
            return
        }
        while let word = words.popFirst() {
            guard word == "on" || word == "off" else {
                throw .expected(localized("“on” or “off”"), found: String(word))
            }
            let length = words.popFirst() ?? ""
            guard let milliseconds = Self.whole(length), Cadence.Segment.durations.contains(milliseconds)
            else {
                throw .duration(String(length))
            }
            try Self.append(
                Cadence.Segment(word == "on" ? tones : [], milliseconds: milliseconds), to: &segments)
        }
    }

    private static func append(_ segment: Cadence.Segment?, to segments: inout [Cadence.Segment])
        throws(Problem)
    {
        guard let segment else { throw .tooManyFrequencies }
        guard segments.count < Cadence.maximumSegments else { throw .tooManySegments }
        segments.append(segment)
    }

    /// Removes and returns the frequencies and their levels, up to the first word that is neither.
    private mutating func readTones() throws(Problem) -> [Cadence.Tone] {
        var text = ""
        while let word = words.first, !["on", "off", "continuous"].contains(word) {
            text += word
            words.removeFirst()
        }
        let sides = text.split(separator: "@", omittingEmptySubsequences: false)
        guard sides.count == 2 else { throw .expected(localized("“@” and a level"), found: text) }
        let frequencies = sides[0].split(separator: "+", omittingEmptySubsequences: false)
        guard frequencies.count <= Cadence.Segment.maximumTones else { throw .tooManyFrequencies }
        let levels = sides[1].split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count == 1 || levels.count == frequencies.count else { throw .levelCount }
        var tones: [Cadence.Tone] = []
        for (index, text) in frequencies.enumerated() {
            guard let frequency = Self.number(text), Cadence.Tone.frequencies.contains(frequency) else {
                throw .frequency(String(text))
            }
            let levelText = levels[levels.count == 1 ? 0 : index]
            guard let level = Self.number(levelText),
                let tone = Cadence.Tone(frequency: frequency, level: level)
            else { throw .level(String(levelText)) }
            tones.append(tone)
        }
        return tones
    }

    /// Returns a decimal number without exponent; nil if the text is not one.
    private static func number(_ text: Substring) -> Double? {
        guard text.utf8.count <= 12, text.utf8.allSatisfy({ "0123456789.-+".utf8.contains($0) }) else {
            return nil
        }
        return Double(text)
    }

    private static func whole(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ "0123456789".utf8.contains($0) }) else { return nil }
        return Int(text)
    }

    static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }

    private static func isBlank(_ character: Character) -> Bool {
        character == " " || character == "\t" || character == "\r"
    }
}
