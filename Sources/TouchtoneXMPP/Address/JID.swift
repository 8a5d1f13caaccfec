// SPDX-License-Identifier: GPL-3.0-or-later

/// An XMPP address, `local@domain/resource`, in canonical form (RFC 7622).
///
/// Two addresses are equal if they refer to the same entity: the initializers normalize case, full-width letters and
/// `xn--` labels. Each part has 1 to 1023 bytes of UTF-8.
struct JID: Hashable, Sendable, CustomStringConvertible {
    static let maximumPartLength = 1023

    /// The address of nobody, which no other is equal to.
    static let none = JID(prepared: "", "", "")

    /// The name of the account; empty for a server.
    let local: String
    let domain: String
    /// The name of the device; empty for the account itself.
    let resource: String

    init?(_ text: String) {
        // Text longer than three parts is rejected without further checks.
        guard text.utf8.count <= 3 * Self.maximumPartLength + 2 else { return nil }
        // Search by bytes: in Swift, a combining mark after a sign makes a different character of it.
        let bytes = text.utf8
        let slash = bytes.firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
        let at = bytes[..<slash].firstIndex(of: UInt8(ascii: "@"))
        let resource = slash == bytes.endIndex ? "" : text[bytes.index(after: slash)...]
        if at == bytes.startIndex || slash != bytes.endIndex && resource.isEmpty { return nil }
        self.init(
            local: at.map { String(text[..<$0]) } ?? "",
            domain: String(text[(at.map { bytes.index(after: $0) } ?? bytes.startIndex)..<slash]),
            resource: String(resource))
    }

    /// An empty part is absent.
    init?(local: String, domain: String, resource: String = "") {
        guard let domain = Self.prepared(domain: domain),
            let local = Self.prepared(local, by: .node, plain: Self.isPlainLocal),
            let resource = Self.prepared(resource, by: .resource, plain: Self.isPlainResource)
        else { return nil }
        // Some libraries leave the characters that Nodeprep forbids in its appendix A.5 to the caller.
        guard !local.utf8.contains(where: { "\"&'/:<>@ ".utf8.contains($0) }) else { return nil }
        self.init(prepared: local, domain, resource)
    }

    private init(prepared local: String, _ domain: String, _ resource: String) {
        self.local = local
        self.domain = domain
        self.resource = resource
    }

    var bare: JID { JID(prepared: local, domain, "") }

    var server: JID { JID(prepared: "", domain, "") }

    var isBare: Bool { resource.isEmpty }

    func with(resource: String) -> JID? { JID(local: local, domain: domain, resource: resource) }

    var description: String {
        (local.isEmpty ? "" : local + "@") + domain + (resource.isEmpty ? "" : "/" + resource)
    }
}

// MARK: - Preparation of parts

extension JID {
    private static func prepared(
        _ part: String, by profile: StringPreparation, plain: (UInt8) -> Bool
    ) -> String? {
        guard part.utf8.count <= maximumPartLength else { return nil }
        // Most parts consist only of characters that preparation does not change.
        guard !part.utf8.allSatisfy(plain) else { return part }
        guard let result = profile.apply(part), (1...maximumPartLength).contains(result.utf8.count) else {
            return nil
        }
        return result
    }

    private static func isPlainLocal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "._-+".utf8.contains(byte)
        }
    }

    private static func isPlainResource(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

    private static func prepared(domain text: String) -> String? {
        var domain = text
        if domain.utf8.last == UInt8(ascii: ".") { domain.unicodeScalars.removeLast() }
        guard (1...maximumPartLength).contains(domain.utf8.count) else { return nil }
        if domain.hasPrefix("["), domain.hasSuffix("]") {
            let inside = domain.dropFirst().dropLast()
            let isAddress =
                inside.contains(":")
                && inside.utf8.allSatisfy { "0123456789abcdefABCDEF:.".utf8.contains($0) }
            return isAddress ? domain.lowercased() : nil
        }
        // Searching a text is slow, and most domains have no hyphen.
        let hasHyphen = domain.utf8.contains(UInt8(ascii: "-"))
        if !domain.utf8.allSatisfy({ isPlainLocal($0) }) || hasHyphen && domain.contains("xn--") {
            // Prepare twice, because some labels decode to text that would itself be decoded again. Compare bytes,
            // because Swift's comparison ignores the order of combining marks.
            guard let unicode = international(domain), let again = international(unicode),
                again.utf8.elementsEqual(unicode.utf8)
            else { return nil }
            domain = unicode
        }
        guard (1...maximumPartLength).contains(domain.utf8.count),
            domain.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
                .allSatisfy({ !$0.isEmpty }),
            domain.unicodeScalars.allSatisfy({ !$0.isASCII || isPlainLocal(UInt8($0.value)) && $0 != "+" })
        else { return nil }
        return domain
    }

    private static func international(_ domain: String) -> String? {
        StringPreparation.name.apply(domain).flatMap { StringPreparation.unicodeDomain($0) }
    }
}
