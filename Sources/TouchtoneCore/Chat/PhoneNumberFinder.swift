// SPDX-License-Identifier: GPL-3.0-or-later

/// Finds telephone numbers in a text by their form alone, without a region’s numbering plan.
///
/// It recognizes international numbers (`+` or `00`), North American numbers with or without an area code, and national
/// numbers that start with 0. It rejects dates, times, amounts, IP addresses and long rows of digits.
enum PhoneNumberFinder {
    private struct Group {
        var range: Range<Int>
        var digits: Int
        var isInBrackets = false
    }

    /// An upper bound for the number of groups of digits in a number.
    private static let longest = 7

    /// Returns the numbers in the row of digits at an index, and its end; nil if none starts there.
    static func numbers(in text: TextBytes, at start: Int) -> (end: Int, numbers: [(Range<Int>, String)])? {
        guard canBegin(text, start) else { return nil }
        var index = start
        let hasPlus = text[index] == UInt8(ascii: "+")
        if hasPlus { index += 1 }
        var groups: [Group] = []
        while let group = group(in: text, at: index, afterBrackets: groups.last?.isInBrackets ?? false) {
            groups.append(group)
            index = group.range.upperBound
        }
        guard let last = groups.last else { return nil }
        let end = last.range.upperBound
        var found: [(Range<Int>, String)] = []
        var first = 0
        while first < groups.count {
            let isPlus = hasPlus && first == 0
            let candidate = (1...min(longest, groups.count - first)).reversed().lazy
                .map { groups[first..<first + $0] }
                .first { isNumber($0, isPlus, text) && stands($0, groups, text) }
            guard let candidate else {
                // No part of an international number is a number.
                guard !isPlus else { break }
                first += 1
                continue
            }
            let begin = isPlus ? start : candidate[first].range.lowerBound
            let range = begin..<candidate[candidate.endIndex - 1].range.upperBound
            found.append((range, number(candidate, isPlus, text)))
            first = candidate.endIndex
        }
        return (end, found)
    }

    /// Returns whether a digit, a plus sign or a bracket starts a number here, and not within something else.
    private static func canBegin(_ text: TextBytes, _ start: Int) -> Bool {
        switch text[start] {
        case UInt8(ascii: "+"), UInt8(ascii: "("):
            guard start + 1 < text.count else { return false }
            let next = text[start + 1]
            guard next.isDigit || text[start] == UInt8(ascii: "+") && next == UInt8(ascii: "(") else {
                return false
            }
        case let byte where byte.isDigit: break
        default: return false
        }
        guard start > 0 else { return true }
        let before = text[start - 1]
        if before >= 0x80 || before <= 0x20 || "([{\"'<>*_~|".utf8.contains(before) { return true }
        // Accept “Tel:555-0100”, but not the minutes of a time or the thousands of an amount.
        return ":,;".utf8.contains(before) && !(start > 1 && text[start - 2].isDigit)
    }

    /// Returns the next group of digits, after at most three separators.
    private static func group(in text: TextBytes, at start: Int, afterBrackets: Bool) -> Group? {
        let isFirst = start == 0 || !text[start - 1].isDigit && text[start - 1] != UInt8(ascii: ")")
        var index = start
        if !isFirst {
            while index < text.count, index - start < 4, let length = separator(text, index) {
                index += length
            }
            guard index > start || afterBrackets || index < text.count && text[index] == UInt8(ascii: "(")
            else {
                return nil
            }
        }
        guard index < text.count else { return nil }
        let begin = index
        let isOpen = text[index] == UInt8(ascii: "(")
        if isOpen { index += 1 }
        let digits = index
        while index < text.count, text[index].isDigit { index += 1 }
        guard index > digits else { return nil }
        var group = Group(range: begin..<index, digits: index - digits)
        if isOpen {
            guard index < text.count, text[index] == UInt8(ascii: ")") else {
                // In “(555-0100)”, the bracket belongs to the sentence.
                return isFirst ? Group(range: digits..<index, digits: index - digits) : nil
            }
            group.range = begin..<index + 1
            group.isInBrackets = true
        }
        return group
    }

    /// Returns the length of a separator in bytes: a space, full stop, slash or hyphen; nil for other characters.
    private static func separator(_ text: TextBytes, _ index: Int) -> Int? {
        if " -./".utf8.contains(text[index]) { return 1 }
        for (first, others) in [(UInt8(0xC2), [UInt8(0xA0)]), (0xE2, [0x80, 0x90]), (0xE2, [0x80, 0x91])]
        where text[index] == first {
            let bytes = text.bytes[index...].dropFirst().prefix(others.count)
            if bytes.elementsEqual(others) { return 1 + others.count }
        }
        return nil
    }

    /// Returns whether these groups are separated, as words are, from the rest of the row and the text that follows.
    private static func stands(
        _ candidate: ArraySlice<Group>, _ groups: [Group], _ text: TextBytes
    ) -> Bool {
        if candidate.startIndex > 0, !gap(groups, candidate.startIndex, text).isBlank { return false }
        guard candidate.endIndex == groups.count else {
            return gap(groups, candidate.endIndex, text).isBlank
        }
        let end = groups[groups.count - 1].range.upperBound
        guard end < text.count, text[end] < 0x80, text[end] > 0x20 else { return true }
        guard ")]}\"'>.,;:!?*_~|".utf8.contains(text[end]) else { return false }
        return !(".,:".utf8.contains(text[end]) && end + 1 < text.count && text[end + 1].isDigit)
    }

    private static func gap(_ groups: [Group], _ index: Int, _ text: TextBytes) -> ArraySlice<UInt8> {
        text.bytes[groups[index - 1].range.upperBound..<groups[index].range.lowerBound]
    }

    private static func isNumber(_ groups: ArraySlice<Group>, _ isPlus: Bool, _ text: TextBytes) -> Bool {
        let lengths = groups.map(\.digits)
        let count = lengths.reduce(0, +)
        let digits = groups.flatMap { text.bytes[$0.range].filter(\.isDigit) }
        guard let first = digits.first, !isDate(lengths), !isNetworkAddress(groups, lengths, text) else {
            return false
        }
        let isLocal: (Int) -> Bool = { digits[$0] >= UInt8(ascii: "2") }
        if isPlus { return (7...15).contains(count) && first != UInt8(ascii: "0") }
        if first == UInt8(ascii: "0") {
            if digits.starts(with: "00".utf8) { return (9...17).contains(count) && lengths[0] >= 2 }
            guard lengths.count > 1 else { return (9...12).contains(count) }
            let isCode = lengths[0] > 1 || groups.first?.isInBrackets == true
            return (8...12).contains(count) && isCode && lengths[lengths.count - 1] > 1
        }
        switch lengths {
        case [3, 4]: return isLocal(0)
        case [10], [3, 3, 4], [3, 7]: return isLocal(0)
        case [11], [1, 3, 3, 4], [1, 3, 7], [1, 10]: return first == UInt8(ascii: "1") && isLocal(1)
        default: return false
        }
    }

    private static func isDate(_ lengths: [Int]) -> Bool {
        guard lengths.count == 3 else { return false }
        let (short, year) = (1...2, [2, 4])
        return short.contains(lengths[1])
            && (short.contains(lengths[0]) && year.contains(lengths[2])
                || lengths[0] == 4 && short.contains(lengths[2]))
    }

    private static func isNetworkAddress(
        _ groups: ArraySlice<Group>, _ lengths: [Int], _ text: TextBytes
    ) -> Bool {
        guard lengths.count == 4, lengths.allSatisfy({ $0 <= 3 }) else { return false }
        return zip(groups, groups.dropFirst()).allSatisfy { left, right in
            text.bytes[left.range.upperBound..<right.range.lowerBound].elementsEqual(".".utf8)
        }
    }

    /// Returns the number to dial: in “+49 (0)30 …”, the 0 is for calls within the country only.
    private static func number(_ groups: ArraySlice<Group>, _ isPlus: Bool, _ text: TextBytes) -> String {
        let dialled = groups.filter { group in
            !(isPlus && group.isInBrackets && text.bytes[group.range].elementsEqual("(0)".utf8))
        }
        return (isPlus ? "+" : "")
            + String(decoding: dialled.flatMap { text.bytes[$0.range].filter(\.isDigit) }, as: UTF8.self)
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes contain a space of any width, which separates words.
    fileprivate var isBlank: Bool { contains { $0 == UInt8(ascii: " ") || $0 == 0xA0 } }
}
