// SPDX-License-Identifier: GPL-3.0-or-later

/// A report for a bug, in lines under headings, in English.
///
/// A value is the program’s own word, such as a version; anything else goes through a `Scrubber` before.
public struct Report: Sendable {
    public private(set) var text: String

    /// - Parameter text: The beginning of the report.
    public init(after text: String = "") { self.text = text }

    public mutating func begin(_ heading: String) {
        if !text.isEmpty { text += "\n" }
        text += "\(heading)\n"
    }

    public mutating func add(_ name: String, _ value: String) {
        text += "  \(name): \(value.isEmpty ? "none" : value)\n"
    }
}
