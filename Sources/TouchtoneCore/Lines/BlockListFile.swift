// SPDX-License-Identifier: GPL-3.0-or-later

/// The callers of a file for the block list: a list with one in each line, or a table that another phone or app has written.
///
/// Of a table, only columns of numbers and addresses are read, and no letter becomes a digit: a name blocks nobody. The columns
/// are those whose headings say so; without such a heading, it is the only one that has numbers or addresses.
public struct BlockListFile: Hashable, Sendable {
    /// Why a file cannot be read at all.
    public enum Problem: Error, Hashable, Sendable {
        /// The file is in UTF-16 or UTF-32.
        case wideText
        /// The file has bytes that no text has.
        case noText
        case tooManyLines
        /// Nothing tells which column of the table has the numbers.
        case noColumn
    }

    /// The callers in the order of the file, each text once.
    public private(set) var callers: [BlockedCaller] = []
    /// The lines that should have a caller, and have none that can be read.
    public private(set) var unreadable = 0

    /// The greatest number of lines.
    public static let maximumLines = 20_000

    private var known: Set<BlockedCaller> = []

    private init() {}

    /// Reads a file; the work is in proportion to its size.
    public static func read(_ bytes: [UInt8]) throws(Problem) -> BlockListFile {
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else { throw .wideText }
        guard !bytes.contains(0) else { throw .noText }
        let records: [[String]]
        do throws(TableReader.TooLong) {
            records = try TableReader.records(in: bytes, maximum: maximumLines)
        } catch {
            throw .tooManyLines
        }
        var file = BlockListFile()
        if let heading = records.first, let columns = CallerColumns(heading: heading) {
            for record in records.dropFirst() { file.add(record, columns) }
        } else {
            try file.add(records)
        }
        return file
    }

    // MARK: - Tables with a heading

    private mutating func add(_ record: [String], _ columns: CallerColumns) {
        let numbers = Self.entries(in: record, columns.numbers)
        var found = numbers.compactMap(Self.caller)
        var texts = numbers
        // The address behind a number is that of a server or a gateway, which carries others, too.
        if found.isEmpty {
            let addresses = Self.entries(in: record, columns.addresses).filter { $0.contains("@") }
            found = addresses.compactMap(Self.caller)
            texts += addresses
        }
        add(found)
        // A contact without a number, or a caller who showed none, is no mistake.
        if found.isEmpty, !texts.isEmpty { unreadable += 1 }
    }

    /// Returns the texts of fields; Google puts several numbers of one kind into a field.
    private static func entries(in record: [String], _ columns: [Int]) -> [String] {
        columns.filter { $0 < record.count }.flatMap {
            record[$0].split(separator: ":::").map { String($0).trimmed }
        }
        .filter { !$0.isEmpty }
    }

    // MARK: - Lists, and tables without a heading

    private mutating func add(_ records: [[String]]) throws(Problem) {
        let rows = records.filter { $0.count > 1 }
        // Some apps write all numbers into one line.
        if records.count == 1, let row = rows.first {
            let callers = row.filter { !$0.trimmed.isEmpty }.map(Self.caller)
            if callers.allSatisfy({ $0 != nil }) { return add(callers.compactMap { $0 }) }
        }
        let column = rows.isEmpty ? nil : Self.column(of: rows)
        var hasRow = false
        for record in records {
            let place = record.count > 1 ? column : 0
            let text = place.map { $0 < record.count ? record[$0].trimmed : "" } ?? ""
            if let caller = Self.caller(text) {
                add([caller])
            } else if record.count == 1 || column == nil || hasRow && !text.isEmpty {
                unreadable += 1
            }
            // The first row may be a heading in a language that is not known here.
            hasRow = hasRow || record.count > 1
        }
        if callers.isEmpty, column == nil, !rows.isEmpty { throw .noColumn }
    }

    /// Returns the only column in which most fields are numbers or addresses; nil if there is none, or more than one.
    ///
    /// Dates, and counts of up to four digits, are no numbers of callers here.
    private static func column(of rows: [[String]]) -> Int? {
        let width = rows.lazy.map(\.count).max() ?? 0
        var filled = [Int](repeating: 0, count: width)
        var named = filled
        // The first row may be a heading.
        let isHeading = rows.first?.contains { caller($0) != nil } == false
        for row in rows.dropFirst(isHeading ? 1 : 0) {
            for (place, field) in row.enumerated() where !field.isEmpty {
                filled[place] += 1
                if !isDate(field), let caller = caller(field), caller.text.utf8.count > 4 {
                    named[place] += 1
                }
            }
        }
        let likely = (0..<width).filter { named[$0] > 0 && named[$0] * 5 >= filled[$0] * 4 }
        return likely.count == 1 ? likely.first : nil
    }

    // MARK: - Fields

    private mutating func add(_ new: [BlockedCaller]) {
        for caller in new where known.insert(caller).inserted { callers.append(caller) }
    }

    /// Returns the caller that a field names as a whole; nil if anything in it is neither a part of a number nor of an address.
    static func caller(_ field: String) -> BlockedCaller? {
        var text = field.trimmed
        // So spreadsheets keep a number as it is written.
        if text.hasPrefix("=\""), text.hasSuffix("\""), text.count > 3 {
            text = String(text.dropFirst(2).dropLast())
        }
        if text.hasPrefix("'") { text.removeFirst() }
        guard text.utf8.count <= BlockedCaller.maximumLength else { return nil }
        if text.contains("@") {
            return text.unicodeScalars.contains { $0.isInvisible } ? nil : BlockedCaller(text)
        }
        if TelURI.hasScheme(text.unicodeScalars[...]) { return BlockedCaller(text) }
        var (hasPlus, hasDigit, hasKey) = (false, false, false)
        for scalar in text.unicodeScalars {
            if scalar.properties.numericType == .decimal {
                hasDigit = true
            } else if scalar == "+" || scalar == "\u{FF0B}" {
                guard !hasPlus, !hasDigit, !hasKey else { return nil }
                hasPlus = true
            } else if scalar == "*" || scalar == "#" {
                // Behind digits, they stand for any digits in the lists of other apps.
                guard !hasPlus, hasKey || !hasDigit else { return nil }
                hasKey = true
            } else {
                guard scalar.isInvisible || punctuation.contains(scalar) else { return nil }
            }
        }
        return hasDigit ? BlockedCaller(text) : nil
    }

    private static let punctuation =
        "()[]./-\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2212}\u{FF08}\u{FF09}\u{FF0D}"
        .unicodeScalars

    /// Returns whether a text is a date in digits, with the year at its beginning or at its end.
    private static func isDate(_ text: String) -> Bool {
        let parts = text.trimmed.split(maxSplits: 3, omittingEmptySubsequences: false) { "-./".contains($0) }
        let lengths = parts.prefix(3).map(\.utf8.count)
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return false
        }
        return (1...2).contains(lengths[1])
            && (lengths[0] == 4 && (1...2).contains(lengths[2])
                || lengths[2] == 4 && (1...2).contains(lengths[0]))
    }
}
