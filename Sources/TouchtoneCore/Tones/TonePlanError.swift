// SPDX-License-Identifier: GPL-3.0-or-later

public struct TonePlanError: Error, Hashable, Sendable {
    /// The number of the invalid line, from 1; the last line if an entry is missing.
    public let line: Int
    public let problem: Problem

    public enum Problem: Error, Hashable, Sendable {
        case tooLong
        case notText
        /// The line does not begin with a name and a colon, or has no value.
        case notAStatement
        /// The name is not that of a sound or of another entry.
        case unknownName(String)
        /// An entry that may occur once is repeated.
        case twice(String)
        /// The plan ends without this entry.
        case missing(String)
        /// A different word was expected.
        case expected(String, found: String)
        /// The text is not a number of hertz from 20 to 3800.
        case frequency(String)
        /// The text is not a number of dBm0 from -60 to -9.
        case level(String)
        /// The text is not a whole number of milliseconds from 10 to 600,000.
        case duration(String)
        /// The text is not a whole number of repetitions from 1 to 1000.
        case times(String)
        /// The part has more than four frequencies.
        case tooManyFrequencies
        /// The number of levels is neither one nor that of the frequencies.
        case levelCount
        /// The sound has more than sixteen segments.
        case tooManySegments
        /// A segment follows an endless one.
        case afterContinuous
    }

    /// The message for the plan's author, such as `line 4: expected “off”, found “of”`.
    public var message: String {
        localized("line {line}: {problem}", ["line": String(line), "problem": problem.message])
    }
}

extension TonePlanError.Problem {
    public var message: String {
        switch self {
        case .tooLong:
            localized("a tone plan can have at most {size} bytes", ["size": String(TonePlan.maximumSize)])
        case .notText: localized("the file is not UTF-8 text")
        case .notAStatement: localized("expected “name: value”")
        case .unknownName(let name): localized("unknown sound “{name}”", ["name": shown(name)])
        case .twice(let name): localized("duplicate entry “{name}”", ["name": shown(name)])
        case .missing(let name): localized("missing entry “{name}”", ["name": shown(name)])
        case .expected(let wanted, let found):
            found.isEmpty
                ? localized("expected {wanted} at the end", ["wanted": wanted])
                : localized(
                    "expected {wanted}, found “{found}”", ["found": shown(found), "wanted": wanted])
        case .frequency(let text):
            localized("“{text}” is not a frequency from 20 to 3800 Hz", ["text": shown(text)])
        case .level(let text): localized("“{text}” is not a level from -60 to -9 dBm0", ["text": shown(text)])
        case .duration(let text):
            localized("“{text}” is not a duration from 10 to 600000 ms", ["text": shown(text)])
        case .times(let text):
            localized("“{text}” is not a repeat count from 1 to 1000", ["text": shown(text)])
        case .tooManyFrequencies: localized("at most four frequencies can sound at once")
        case .levelCount: localized("give one level, or one for each frequency")
        case .tooManySegments: localized("a sound can have at most sixteen segments")
        case .afterContinuous: localized("nothing can come after “continuous”")
        }
    }

    /// Returns the beginning of a text, on one line.
    private func shown(_ text: String) -> String {
        String(
            text.prefix(40).map {
                $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? "?" : $0
            })
    }
}
