// SPDX-License-Identifier: GPL-3.0-or-later

/// The name of a downloaded file, made from an untrusted text: without folders, not hidden, with its
/// characters in their order, and fitting into a file system.
struct SafeFileName: Hashable {
    /// The greatest length of a name in usual file systems, in bytes.
    static let maximumBytes = 255
    /// The greatest length of an extension that is kept, in bytes with the dot.
    private static let maximumExtension = 20

    private let stem: String
    /// The extension with its dot; may be empty.
    private let ending: String

    init(_ text: String) {
        // By scalars: a slash with a combining mark is a different character, and the same byte.
        let last = text.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last ?? [][...]
        var name = last.compactMap { Self.safe($0) }[...]
        name = name.drop { $0 == "." || $0 == " " }
        while name.last == "." || name.last == " " { name.removeLast() }
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let ending = Self.text(name[dot...])
        let isKept = ending.utf8.count <= Self.maximumExtension
        self.ending = isKept ? ending : ""
        stem = name.isEmpty ? "file" : Self.text(isKept ? name[..<dot] : name)
    }

    /// Returns the name, or the name with a number from 2 on.
    func numbered(_ number: Int) -> String {
        let suffix = (number < 2 ? "" : " (\(number))") + ending
        var room = Self.maximumBytes - suffix.utf8.count
        let start = stem.unicodeScalars.prefix { scalar in
            room -= UTF8.width(scalar)
            return room >= 0
        }
        return String(start) + suffix
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }

    /// Returns a character that is shown as itself; nil for one that is left out.
    private static func safe(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.properties.generalCategory {
        // Among the format characters are those that reverse the direction of text.
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: nil
        case .spaceSeparator: " "
        // File systems of other systems reserve these.
        default: "<>:\"|?*".unicodeScalars.contains(scalar) ? "_" : scalar
        }
    }
}
