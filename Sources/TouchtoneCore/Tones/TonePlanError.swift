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
    public var message: String { "line \(line): \(problem.message)" }
}

extension TonePlanError.Problem {
    /// What is wrong, in words.
    public var message: String {
        switch self {
        case .tooLong: "a tone plan has at most \(TonePlan.maximumSize) bytes"
        case .notText: "this is not text in UTF-8"
        case .notAStatement: "a line is a name, a colon and a value"
        case .unknownName(let name): "“\(shown(name))” is no sound of a tone plan"
        case .twice(let name): "“\(shown(name))” stands here again"
        case .missing(let name): "the plan ends without “\(shown(name))”"
        case .expected(let wanted, let found):
            found.isEmpty
                ? "\(wanted) is missing at the end" : "“\(shown(found))” found, where \(wanted) is wanted"
        case .frequency(let text): "“\(shown(text))” is no frequency from 20 to 3800 Hz"
        case .level(let text): "“\(shown(text))” is no level from -60 to -9 dBm0"
        case .duration(let text): "“\(shown(text))” is no length from 10 to 600000 ms"
        case .times(let text): "“\(shown(text))” is no number of times from 1 to 1000"
        case .tooManyFrequencies: "at most four frequencies can sound at once"
        case .levelCount: "there is one level, or one for each frequency"
        case .tooManySegments: "a sound is on or off at most sixteen times"
        case .afterContinuous: "nothing can come after “continuous”"
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
