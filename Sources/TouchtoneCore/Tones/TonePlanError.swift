// SPDX-License-Identifier: GPL-3.0-or-later

/// Why a text is no tone plan.
public struct TonePlanError: Error, Hashable, Sendable {
    /// The line that is wrong, from 1; the last one where something is missing.
    public let line: Int
    /// What is wrong with it.
    public let problem: Problem

    /// What can be wrong with a line.
    public enum Problem: Error, Hashable, Sendable {
        /// There are more than 64 KiB.
        case tooLong
        /// The line is not UTF-8.
        case notText
        /// There is no name with a colon at the beginning, or nothing after it.
        case notAStatement
        /// The name is none of a tone plan.
        case unknownName(String)
        /// What can stand once stands again.
        case twice(String)
        /// The plan ends without it.
        case missing(String)
        /// A word stands where another is wanted.
        case expected(String, found: String)
        /// Not a number of hertz from 20 to 3800.
        case frequency(String)
        /// Not a number of dBm0 from -60 to -9.
        case level(String)
        /// Not a whole number of milliseconds from 10 to 600,000.
        case duration(String)
        /// Not a whole number of times from 1 to 1000.
        case times(String)
        /// More than four frequencies at once.
        case tooManyFrequencies
        /// Neither one level nor as many as frequencies.
        case levelCount
        /// More than sixteen times on or off.
        case tooManySegments
        /// Something comes after what has no end.
        case afterContinuous
    }

    /// What to tell the person who wrote the plan, such as `line 4: “of” found, where “off” is wanted`.
    public var message: String {
        localized("line {line}: {problem}", ["line": String(line), "problem": problem.message])
    }
}

extension TonePlanError.Problem {
    /// What is wrong, in words.
    public var message: String {
        switch self {
        case .tooLong:
            localized("a tone plan has at most {size} bytes", ["size": String(TonePlan.maximumSize)])
        case .notText: localized("this is not text in UTF-8")
        case .notAStatement: localized("a line is a name, a colon and a value")
        case .unknownName(let name): localized("“{name}” is no sound of a tone plan", ["name": shown(name)])
        case .twice(let name): localized("“{name}” stands here again", ["name": shown(name)])
        case .missing(let name): localized("the plan ends without “{name}”", ["name": shown(name)])
        case .expected(let wanted, let found):
            found.isEmpty
                ? localized("{wanted} is missing at the end", ["wanted": wanted])
                : localized(
                    "“{found}” found, where {wanted} is wanted", ["found": shown(found), "wanted": wanted])
        case .frequency(let text):
            localized("“{text}” is no frequency from 20 to 3800 Hz", ["text": shown(text)])
        case .level(let text): localized("“{text}” is no level from -60 to -9 dBm0", ["text": shown(text)])
        case .duration(let text):
            localized("“{text}” is no length from 10 to 600000 ms", ["text": shown(text)])
        case .times(let text):
            localized("“{text}” is no number of times from 1 to 1000", ["text": shown(text)])
        case .tooManyFrequencies: localized("at most four frequencies can sound at once")
        case .levelCount: localized("there is one level, or one for each frequency")
        case .tooManySegments: localized("a sound is on or off at most sixteen times")
        case .afterContinuous: localized("nothing can come after “continuous”")
        }
    }

    /// What of a text can be shown in a message: its beginning, on one line.
    private func shown(_ text: String) -> String {
        String(
            text.prefix(40).map {
                $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? "?" : $0
            })
    }
}
