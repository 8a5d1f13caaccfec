// SPDX-License-Identifier: GPL-3.0-or-later

/// The ids of accounts in a setting, each of which is a part of a path of settings.
public enum AccountID {
    public static let maximumCount = 20

    /// Returns the ids in a setting, which may contain anything: those that can be part of a path, each once.
    public static func ids(in list: [String]) -> [String] {
        var ids: [String] = []
        for id in list where ids.count < maximumCount && isID(id) && !ids.contains(id) { ids.append(id) }
        return ids
    }

    /// Returns an unused id for an address: `ada-example-org`.
    public static func new(for address: String, besides used: [String]) -> String {
        let words = address.lowercased().utf8.split { !isLetterOrDigit($0) }
        let base = String(words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-").prefix(48))
        let name = base.isEmpty || reserved.contains(base) ? "account" : base
        return ([name] + (2...maximumCount + 1).map { "\(name)-\($0)" }).first { !used.contains($0) } ?? name
    }

    /// The ids of lines without an account.
    private static let reserved = ["practice", "tel"]

    private static func isID(_ id: String) -> Bool {
        (1...64).contains(id.utf8.count) && !reserved.contains(id)
            && id.utf8.allSatisfy {
                isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
