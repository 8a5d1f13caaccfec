// SPDX-License-Identifier: GPL-3.0-or-later

/// An upload slot for a file (XEP-0363).
public struct UploadSlot: Hashable, Sendable {
    static let namespace = "urn:xmpp:http:upload:0"

    /// The URL to upload the file to, with HTTP PUT.
    public let put: String
    /// The only headers of that request.
    public let headers: [String: String]
    /// The URL to download the file from.
    public let get: String

    /// Reads a slot; returns nil if it is invalid, or does not use HTTPS.
    ///
    /// Only the three headers that the standard allows are accepted (XEP-0363 section 7): a server could otherwise add
    /// any header to the request.
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
    /// Requests a slot.
    ///
    /// - Parameters:
    ///   - service: The upload service; one of the server's items with the feature `urn:xmpp:http:upload:0`.
    ///   - name: The name of the file, without folders.
    ///   - size: The size of the file, in bytes.
    ///   - type: The media type, such as `image/png`; empty if unknown.
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
