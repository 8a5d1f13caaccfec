// SPDX-License-Identifier: GPL-3.0-or-later

/// The call history as comma-separated values (RFC 4180), in UTF-8, with a header row.
///
/// Spreadsheets take a field that begins with `=`, `+`, `-` or `@` for a formula, and callers choose their
/// names: such a text gets an apostrophe, which marks it as text. Numbers get none: digits, `*`, `#`, `,`,
/// `;` and a leading `+` form no harmful formula, and `+442079460958` must stay the same for every reader.
enum HistoryCSV {
    static let header = line([
        "began", "direction", "missed", "name", "number", "address", "line", "end", "seconds",
    ])

    /// Returns the row of a call; `offset` is the local time’s from UTC when it began, in seconds.
    static func line(_ call: PastCall, name: String, offset: Int) -> [UInt8] {
        line([
            CivilTime(call.began, offset: offset).text,
            call.isFromFarEnd ? "incoming" : "outgoing", call.isMissed ? "yes" : "no",
            guarded(name),
            call.remote.number.text, guarded(call.remote.address), guarded(call.line),
            guarded(call.endReason.sentence),
            call.seconds.map { String($0) } ?? "",
        ])
    }

    private static func line(_ fields: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(field, to: &bytes)
        }
        return bytes + [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }

    /// Appends a field, in quotes if another app could find a separator in it or strip a blank.
    private static func append(_ field: String, to bytes: inout [UInt8]) {
        let text = field.utf8
        guard text.contains(where: special.contains) || text.first == blank || text.last == blank else {
            return bytes.append(contentsOf: text)
        }
        bytes.append(quote)
        for byte in text {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        bytes.append(quote)
    }

    /// Returns a text from outside as a single line that is not a formula.
    private static func guarded(_ text: String) -> String {
        let plain = String(String.UnicodeScalarView(text.unicodeScalars.map(withoutControl)))
        let first = plain.unicodeScalars.first { $0 != " " }
        return first.map(formulaSigns.contains) == true ? "'" + plain : plain
    }

    private static func withoutControl(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: " "
        default: scalar
        }
    }

    private static let (blank, quote) = (UInt8(ascii: " "), UInt8(ascii: "\""))
    private static let special = Array("\",;\t\r\n".utf8)
    /// The full-width forms are signs too in spreadsheets of languages that use them.
    private static let formulaSigns = "=+-@＝＋－＠".unicodeScalars
}

/// A time in the format of ISO 8601, in the proleptic Gregorian calendar.
struct CivilTime: Hashable {
    /// The text, such as `2011-09-12T23:34:21+02:00`, with `Z` for UTC.
    let text: String

    /// Creates the text of a time; `offset` is from UTC in seconds, and ignored if it is a day or more.
    init(_ time: ChatTime, offset: Int) {
        let offset = abs(offset) < 86_400 ? offset / 60 * 60 : 0
        // The year has four digits, even if the clock is wrong.
        let range = Self.seconds(year: 1)...Self.seconds(year: 10_000) - 1
        let seconds = min(
            max(Int(time.milliseconds / 1000) + offset, range.lowerBound), range.upperBound)
        let day = Self.floor(seconds, 86_400)
        let (rest, date) = (seconds - day * 86_400, Self.date(day))
        let clock = "\(Self.two(rest / 3600)):\(Self.two(rest / 60 % 60)):\(Self.two(rest % 60))"
        let year = String(repeating: "0", count: max(0, 4 - String(date.year).count)) + String(date.year)
        let minutes = abs(offset) / 60
        let zone =
            offset == 0
            ? "Z" : (offset < 0 ? "-" : "+") + "\(Self.two(minutes / 60)):\(Self.two(minutes % 60))"
        text = "\(year)-\(Self.two(date.month))-\(Self.two(date.day))T\(clock)\(zone)"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func floor(_ number: Int, _ divisor: Int) -> Int {
        number >= 0 ? number / divisor : -((divisor - 1 - number) / divisor)
    }

    private static func seconds(year: Int) -> Int {
        let before = year - 1
        return (before * 365 + before / 4 - before / 100 + before / 400 - 719_162) * 86_400
    }

    /// Returns the date of a day since 1970, by eras of 400 years that begin in March, so that a leap day is
    /// last.
    private static func date(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = floor(shifted, 146_097)
        let ofEra = shifted - era * 146_097
        let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let march = (5 * ofYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        return (year + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * march + 2) / 5 + 1)
    }
}

extension CallHistory {
    /// The number of entries that are processed at a time, in less than the time of a frame.
    private static let csvPage = 500

    /// Returns the whole history, newest first, in pieces between which the window is drawn.
    ///
    /// - Parameter offset: The local time’s offset from UTC at a time, in seconds.
    public func csv(offset: @MainActor (ChatTime) -> Int = { _ in 0 }) async throws(StoreError) -> [UInt8] {
        var bytes = HistoryCSV.header
        var last: Int64?
        while true {
            let page = try await store.entries(HistoryQuery(), below: last, count: Self.csvPage)
            for entry in page.newestFirst {
                let call = entry.call
                bytes += HistoryCSV.line(call, name: name(of: call), offset: offset(call.began))
            }
            guard page.count == Self.csvPage, let oldest = page.last else { return bytes }
            last = oldest.id
            await rest()
        }
    }
}
