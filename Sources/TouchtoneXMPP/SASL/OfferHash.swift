// SPDX-License-Identifier: GPL-3.0-or-later

/// The hash of what a server offers for the sign-in, which it repeats in SCRAM's challenge (XEP-0474).
///
/// The proof of the password covers the challenge: an attacker who removes a part of the offer on its way cannot correct
/// the hash.
enum OfferHash {
    /// Computes the hash in Base64.
    ///
    /// - Parameters:
    ///   - mechanisms: The names of all mechanisms of the profile that is used, as they were offered.
    ///   - bindings: The names of the channel bindings (XEP-0440); nil if the server lists none.
    static func make(
        mechanisms: [String], bindings: [String]?, hash: SCRAMHash
    ) throws(SASLError) -> String {
        // The separators cannot occur in XML.
        var text = sorted(mechanisms)
        if let bindings { text += "\u{1F}" + sorted(bindings) }
        return Base64.encode(try hash.hash(Array(text.utf8)))
    }

    /// Joins names in the order of their bytes (RFC 4790 section 9.3).
    private static func sorted(_ names: [String]) -> String {
        names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "\u{1E}")
    }
}
