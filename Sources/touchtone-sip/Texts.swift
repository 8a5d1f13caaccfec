// SPDX-License-Identifier: GPL-3.0-or-later

/// Texts that strangers chose, made safe for the phone.
enum Texts {
    /// The greatest length, in Unicode scalars.
    static let maximumLength = 1_000

    /// Returns a text without control and formatting characters, of at most `maximumLength`; empty for nil.
    static func safe(_ text: UnsafePointer<CChar>?) -> String {
        guard let text else { return "" }
        var scalars = String.UnicodeScalarView()
        var count = 0
        for scalar in String(cString: text).unicodeScalars where count < maximumLength && isSafe(scalar) {
            scalars.append(scalar)
            count += 1
        }
        return String(scalars)
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            false
        default: true
        }
    }
}
