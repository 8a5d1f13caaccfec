// SPDX-License-Identifier: GPL-3.0-or-later

import CIDN

/// The stringprep profiles (RFC 3454) for comparing XMPP's names and passwords, from libidn.
enum StringPreparation: String {
    /// The local part of an address (RFC 6122 appendix A).
    case node = "Nodeprep"
    /// The resource of an address (RFC 6122 appendix B).
    case resource = "Resourceprep"
    /// The labels of a domain (RFC 3491).
    case name = "Nameprep"
    /// The names and passwords of SASL (RFC 4013).
    case sasl = "SASLprep"

    /// Returns the canonical form that all spellings of the text share; nil if the profile forbids a character.
    ///
    /// Characters newer than Unicode 3.2, which stringprep does not know, are not changed.
    func apply(_ text: String) -> String? {
        guard !text.utf8.contains(0) else { return nil }
        var output: UnsafeMutablePointer<CChar>?
        let code = stringprep_profile(text, &output, rawValue, Stringprep_profile_flags(rawValue: 0))
        return Self.text(output, code)
    }

    /// Returns a domain with its `xn--` labels decoded to Unicode (RFC 3490, ToUnicode).
    static func unicodeDomain(_ domain: String) -> String? {
        var output: UnsafeMutablePointer<CChar>?
        let code = idna_to_unicode_8z8z(domain, &output, Int32(IDNA_ALLOW_UNASSIGNED.rawValue))
        return text(output, code)
    }

    private static func text(_ output: UnsafeMutablePointer<CChar>?, _ code: Int32) -> String? {
        guard code == 0, let output else { return nil }
        defer { idn_free(output) }
        return String(validatingCString: output)
    }
}
