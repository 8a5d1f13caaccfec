// SPDX-License-Identifier: GPL-3.0-or-later

/// Regions of numbering plans, as ISO 3166-1 alpha-2 codes in upper case.
public enum Region {
    /// The region for a locale without a region, whose plan the classic format follows.
    public static let standard = "US"

    /// Returns the region of a POSIX locale, `DE` for `de_DE.UTF-8`; `standard` for `C` and invalid names.
    public static func from(locale: String?) -> String {
        let name = (locale ?? "").prefix(32).prefix { $0 != "." && $0 != "@" }
        let parts = name.split { $0 == "_" || $0 == "-" }
        return parts.dropFirst().lazy.compactMap { checked(String($0)) }.first ?? standard
    }

    /// Returns the code in upper case if it has two ASCII letters; nil otherwise.
    public static func checked(_ code: String) -> String? {
        guard code.utf8.count == 2, code.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
        return code.uppercased()
    }
}

/// A region whose numbering plan is known, as it is shown in a list.
public struct ListedRegion: Hashable, Sendable {
    /// The ISO 3166-1 alpha-2 code, in upper case.
    public let code: String
    /// The country calling code without `+`, such as `49`; several regions may share it.
    public let callingCode: String
    /// The name in the user's language.
    public let name: String

    public init(code: String, callingCode: String, name: String) {
        (self.code, self.callingCode, self.name) = (code, callingCode, name)
    }
}
