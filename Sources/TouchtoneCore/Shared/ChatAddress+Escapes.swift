// SPDX-License-Identifier: GPL-3.0-or-later

extension ChatAddress {
    /// The characters that stand in the part before the server only as escapes (XEP-0106 section 4).
    private static let escapes: [Substring: Character] = [
        "20": " ", "22": "\"", "26": "&", "27": "'", "2f": "/", "3a": ":", "3c": "<", "3e": ">", "40": "@",
        "5c": "\\",
    ]

    /// The address as people read it, without these escapes; what is sent and copied has them.
    var shownText: String {
        guard let at = text.firstIndex(of: "@") else { return text }
        return Self.unescaped(text[..<at]) + text[at...]
    }

    /// Returns the part of an address before the server without escapes.
    static func unescaped(_ local: Substring) -> String {
        // A space neither begins nor ends it.
        guard local.contains("\\"), !local.hasPrefix("\\20"), !local.hasSuffix("\\20") else {
            return String(local)
        }
        var (shown, rest) = ("", local)
        while let slash = rest.firstIndex(of: "\\") {
            shown += rest[..<slash]
            let after = rest[rest.index(after: slash)...]
            let character = escapes[after.prefix(2)]
            shown.append(character ?? "\\")
            rest = character == nil ? after : after.dropFirst(2)
        }
        return shown + rest
    }
}
