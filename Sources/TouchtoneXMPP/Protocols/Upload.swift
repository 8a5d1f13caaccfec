// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import TouchtoneCore

/// The upload of files over HTTP (XEP-0363).
enum Upload {
    static let namespace = "urn:xmpp:http:upload:0"

    /// Returns the greatest size that a service accepts, in bytes; nil if it states none (XEP-0363 section 3).
    static func limit(in info: DiscoInfo) -> Int64? {
        info.forms[namespace]?["max-file-size"]?.first.flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
}

extension FileSlot {
    /// Reads a slot; returns nil if it is invalid, or does not use HTTPS.
    ///
    /// Only the three headers that the standard allows are accepted (XEP-0363 section 7): a server could otherwise add
    /// any header to the request.
    init?(_ slot: XMLElement) {
        guard slot.isNamed("slot", Upload.namespace), let put = slot.child("put"), let address = put["url"],
            let get = slot.child("get")?["url"], WebAddress(address) != nil, WebAddress(get) != nil
        else { return nil }
        var headers: [String: String] = [:]
        for header in put.children("header") {
            guard let name = header["name"]?.lowercased(),
                ["authorization", "cookie", "expires"].contains(name),
                header.text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
            else { continue }
            headers[name] = header.text
        }
        self.init(put: address, headers: headers, get: get)
    }

    var hosts: [String] { [put, get].compactMap { WebAddress($0)?.host } }
}

extension XMPPClient {
    /// - Parameters:
    ///   - name: The name of the file, without folders.
    ///   - size: The size of the file, in bytes.
    ///   - type: The media type, such as `image/png`; empty if unknown.
    func uploadSlot(from service: JID, name: String, size: Int64, type: String)
        async throws(RequestError) -> FileSlot
    {
        let request = XMLElement(
            "request", Upload.namespace,
            ["filename": name, "size": "\(size)", "content-type": type.isEmpty ? nil : type])
        let answer = try await self.request(.get, to: service, request)
        guard let slot = answer.flatMap({ FileSlot($0) }) else { throw .implausible }
        return slot
    }
}
