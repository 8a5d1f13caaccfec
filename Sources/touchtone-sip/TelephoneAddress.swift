// SPDX-License-Identifier: GPL-3.0-or-later

/// Addresses that are telephone numbers (RFC 3966).
enum TelephoneAddress {
    /// The greatest length of an address, in bytes; those of SIP are as long at most.
    private static let maximumLength = 700

    static func isValid(_ text: Substring) -> Bool {
        guard text.utf8.count <= maximumLength, text.lowercased().hasPrefix("tel:") else { return false }
        let parts = text.dropFirst("tel:".count).split(
            separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        let (number, parameters) = (parts[0], parts.count > 1 ? parts[1] : "")
        return number.contains(where: isDigit)
            && number.allSatisfy { isDigit($0) || "+-.()".contains($0) }
            && parameters.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || marks.contains($0))
            }
    }

    private static let marks = "-_.!~*'()%[]/:&+$;="

    /// Returns whether a character is one of a number, which may be hexadecimal in a private network.
    private static func isDigit(_ character: Character) -> Bool {
        "0123456789abcdefABCDEF*#".contains(character)
    }
}
