// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages

/// Services of the account’s server that are outside of it, such as relays (XEP-0215).
enum ExternalServices {
    static let namespace = "urn:xmpp:extdisco:2"
    /// The greatest number of servers that are used.
    static let maximumServers = 8

    static var request: XMLElement { XMLElement("services", namespace) }

    /// Reads the servers that help sound to find its way, over UDP, and the time at which the first password ends.
    static func servers(in element: XMLElement) -> (servers: [MediaServer], expiry: Timestamp?) {
        let services = element.children("service", namespace).filter { service in
            (service["transport"] ?? "udp").lowercased() == "udp" && service["action"] != "delete"
        }
        let found = services.lazy.compactMap { service in server(service).map { (service, $0) } }
            .prefix(maximumServers)
        let ends = found.compactMap { $0.0["expires"].flatMap { Timestamp($0) } }
        return (found.map(\.1), ends.min())
    }

    private static func server(_ service: XMLElement) -> MediaServer? {
        guard let type = service["type"]?.lowercased(), type == "stun" || type == "turn",
            let host = service["host"], isHost(host)
        else { return nil }
        let port = service["port"] == nil ? 3478 : service["port"].flatMap { UInt16($0) } ?? 0
        guard port > 0 else { return nil }
        let (user, password) = (service["username"] ?? "", service["password"] ?? "")
        guard type == "turn" else { return MediaServer(host: host, port: port) }
        guard isCredential(user), isCredential(password) else { return nil }
        return MediaServer(host: host, port: port, isRelay: true, user: user, password: password)
    }

    private static func isHost(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: ".-:[]_".utf8.contains(byte)
                }
            }
    }

    private static func isCredential(_ text: String) -> Bool {
        text.utf8.count <= 512 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
