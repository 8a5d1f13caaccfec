// SPDX-License-Identifier: GPL-3.0-or-later

/// The way to encrypt a connection; there is none without TLS.
enum TLSMode: String, Hashable, Sendable {
    /// The mode in the server's DNS records.
    case automatic
    /// STARTTLS on an unencrypted connection before anything private is sent (RFC 6120 section 5).
    case startTLS = "starttls"
    /// TLS from the start (XEP-0368).
    case direct
}

struct Endpoint: Hashable, Sendable {
    let host: String
    let port: UInt16
    let isDirectTLS: Bool
}

/// A DNS SRV record of one of a domain's servers (RFC 2782).
struct ServiceRecord: Hashable, Sendable {
    let endpoint: Endpoint
    let priority: UInt16
    let weight: UInt16
}

enum ServerOrder {
    static let maximum = 8

    /// Returns the servers of a domain, with the records of both services combined (XEP-0368 section 3.2).
    ///
    /// - Parameter records: The records in DNS; nil if there are none: the domain itself is the server.
    /// - Throws: `XMPPError.noService` if the records say that there is no server, or the mode allows none.
    static func endpoints(
        of domain: String, records: [ServiceRecord]?, mode: TLSMode,
        using random: inout some RandomNumberGenerator
    ) throws(XMPPError) -> [Endpoint] {
        guard let records else {
            let direct = Endpoint(host: domain, port: 5223, isDirectTLS: true)
            return mode == .direct ? [direct] : [Endpoint(host: domain, port: 5222, isDirectTLS: false)]
        }
        let allowed = records.filter { record in
            // A dot as the target declares that the domain does not have the service.
            record.endpoint.host != "." && !record.endpoint.host.isEmpty
                && (mode == .automatic || record.endpoint.isDirectTLS == (mode == .direct))
        }
        guard !allowed.isEmpty else { throw .noService(domain: domain) }
        return Array(sorted(allowed, using: &random).map(\.endpoint).prefix(maximum))
    }

    static func endpoints(host: String, port: UInt16, mode: TLSMode) -> [Endpoint] {
        let direct = Endpoint(host: host, port: port == 0 ? 5223 : port, isDirectTLS: true)
        let plain = Endpoint(host: host, port: port == 0 ? 5222 : port, isDirectTLS: false)
        switch mode {
        case .direct: return [direct]
        case .startTLS: return [plain]
        case .automatic: return port == 5223 || port == 443 ? [direct, plain] : [plain, direct]
        }
    }

    /// Sorts records by priority, lowest first, and at random by weight within a priority (RFC 2782).
    private static func sorted(
        _ records: [ServiceRecord], using random: inout some RandomNumberGenerator
    ) -> [ServiceRecord] {
        var order: [ServiceRecord] = []
        for priority in Set(records.map(\.priority)).sorted() {
            // Records of weight 0 are first, so that they have a small chance.
            var left = records.filter { $0.priority == priority }.sorted { $0.weight < $1.weight }
            while !left.isEmpty {
                var chance = Int.random(in: 0...left.reduce(0) { $0 + Int($1.weight) }, using: &random)
                let index = left.firstIndex { record in
                    chance -= Int(record.weight)
                    return chance <= 0
                }
                order.append(left.remove(at: index ?? 0))
            }
        }
        return order
    }
}
