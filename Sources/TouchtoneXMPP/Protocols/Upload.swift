// SPDX-License-Identifier: GPL-3.0-or-later

/// A place for a file that is to be sent (XEP-0363).
public struct UploadSlot: Hashable, Sendable {
    static let namespace = "urn:xmpp:http:upload:0"

    /// Where the file is put, by HTTP's PUT.
    public let put: String
    /// What is to be said in the heads of that request, and nothing else.
    public let headers: [String: String]
    /// Where it can be got from then on.
    public let get: String

    /// Reads a place; nil for what is none, or one that is not secret on the way.
    ///
    /// Only the three heads that the standard allows are taken (section 7): a server could otherwise put words into the
    /// mouth of whoever sends the request.
    init?(_ slot: XMLElement) {
        guard slot.isNamed("slot", Self.namespace), let put = slot.child("put"), let address = put["url"],
            let get = slot.child("get")?["url"], Self.isAllowed(address), Self.isAllowed(get)
        else { return nil }
        self.put = address
        self.get = get
        var headers: [String: String] = [:]
        for header in put.children("header") {
            guard let name = header["name"]?.lowercased(),
                ["authorization", "cookie", "expires"].contains(name),
                header.text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
            else { continue }
            headers[name] = header.text
        }
        self.headers = headers
    }

    private static func isAllowed(_ address: String) -> Bool {
        address.utf8.starts(with: "https://".utf8) && address.unicodeScalars.allSatisfy { $0.value > 0x20 }
    }
}

extension XMPPClient {
    /// Asks for a place.
    ///
    /// - Parameters:
    ///   - service: who has places; one of the server's items with the feature `urn:xmpp:http:upload:0`.
    ///   - name: the file's name, without folders.
    ///   - size: in bytes.
    ///   - type: such as `image/png`; empty is unknown.
    public func uploadSlot(from service: JID, name: String, size: Int, type: String)
        async throws(RequestError) -> UploadSlot
    {
        let request = XMLElement(
            "request", UploadSlot.namespace,
            ["filename": name, "size": "\(size)", "content-type": type.isEmpty ? nil : type])
        let answer = try await self.request(.get, to: service, request)
        guard let slot = answer.flatMap({ UploadSlot($0) }) else { throw .implausible }
        return slot
    }
}
