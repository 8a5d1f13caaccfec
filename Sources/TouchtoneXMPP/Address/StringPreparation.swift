// SPDX-License-Identifier: GPL-3.0-or-later

import CIDN

/// The profiles of stringprep (RFC 3454) that XMPP's names and passwords are compared by: libidn's.
enum StringPreparation: String {
    /// The part of an address before the `@` (RFC 6122 appendix A).
    case node = "Nodeprep"
    /// The part after the `/` (RFC 6122 appendix B).
    case resource = "Resourceprep"
    /// The labels of a domain (RFC 3491).
    case name = "Nameprep"
    /// Names and passwords of SASL (RFC 4013).
    case sasl = "SASLprep"

    /// The text in the one form that all its spellings share; nil if the profile forbids some of it.
    ///
    /// Characters newer than Unicode 3.2, which stringprep does not know, stay as they are.
    func apply(_ text: String) -> String? {
        guard !text.utf8.contains(0) else { return nil }
        var output: UnsafeMutablePointer<CChar>?
        let code = stringprep_profile(text, &output, rawValue, Stringprep_profile_flags(rawValue: 0))
        guard code == 0, let output else { return nil }
        defer { idn_free(output) }
        return String(validatingCString: output)
    }

    /// A domain with the letters of its international labels in place of `xn--` (RFC 3490, ToUnicode).
    static func unicodeDomain(_ domain: String) -> String? {
        var output: UnsafeMutablePointer<CChar>?
        let code = idna_to_unicode_8z8z(domain, &output, Int32(IDNA_ALLOW_UNASSIGNED.rawValue))
        guard code == 0, let output else { return nil }
        defer { idn_free(output) }
        return String(validatingCString: output)
    }
}
