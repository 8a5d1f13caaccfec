// SPDX-License-Identifier: GPL-3.0-or-later

/// Regions of numbering plans, written as ISO 3166-1 alpha-2 codes in upper case.
public enum Region {
    /// The region of a locale that names none: the one whose plan the classic format follows.
    public static let standard = "US"

    /// The region of a POSIX locale name, such as `DE` of `de_DE.UTF-8` and `RS` of `sr_RS@latin`.
    ///
    /// `C`, `POSIX`, a language alone and what can't be understood give `standard`.
    public static func from(locale: String?) -> String {
        let name = (locale ?? "").prefix(32).prefix { $0 != "." && $0 != "@" }
        let parts = name.split { $0 == "_" || $0 == "-" }
        return parts.dropFirst().lazy.compactMap { checked(String($0)) }.first ?? standard
    }

    /// The code in upper case when it is two ASCII letters; nil when it is anything else.
    public static func checked(_ code: String) -> String? {
        guard code.utf8.count == 2, code.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
        return code.uppercased()
    }
}
