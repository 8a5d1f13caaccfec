// SPDX-License-Identifier: GPL-3.0-or-later

/// How a connection becomes a secret one.
///
/// There is no mode without TLS.
public enum TLSMode: String, Hashable, Sendable {
    /// As the server's records say.
    case automatic
    /// Plain first, TLS before anything is told (RFC 6120 section 5).
    case startTLS = "starttls"
    /// TLS from the first byte (XEP-0368).
    case direct
}

/// A place where a server may be.
public struct Endpoint: Hashable, Sendable {
    /// Its name, or a number.
    public let host: String
    /// Its port of TCP.
    public let port: UInt16
    /// Whether TLS begins at once.
    public let isDirectTLS: Bool

    /// Creates a place.
    public init(host: String, port: UInt16, isDirectTLS: Bool) {
        self.host = host
        self.port = port
        self.isDirectTLS = isDirectTLS
    }
}

/// A record of DNS that names a server of a domain (RFC 2782).
public struct ServiceRecord: Hashable, Sendable {
    let endpoint: Endpoint
    let priority: UInt16
    let weight: UInt16

    /// Creates a record.
    public init(endpoint: Endpoint, priority: UInt16, weight: UInt16) {
        self.endpoint = endpoint
        self.priority = priority
        self.weight = weight
    }
}

/// The order in which servers are tried.
enum ServerOrder {
    /// The most that are tried of a domain.
    static let maximum = 8

    /// The servers of a domain, by the records of both services together (XEP-0368 section 3.2).
    ///
    /// - Parameter records: those found; nil where DNS has none, and the domain itself is the server.
    /// - Throws: `XMPPError.noService` if the records say that there is none, or none that the mode allows.
    static func endpoints(
        of domain: String, records: [ServiceRecord]?, mode: TLSMode,
        using random: inout some RandomNumberGenerator
    ) throws(XMPPError) -> [Endpoint] {
        guard let records else {
            let direct = Endpoint(host: domain, port: 5223, isDirectTLS: true)
            return mode == .direct ? [direct] : [Endpoint(host: domain, port: 5222, isDirectTLS: false)]
        }
        let allowed = records.filter { record in
            // A dot is for "this service is not here".
            record.endpoint.host != "." && !record.endpoint.host.isEmpty
                && (mode == .automatic || record.endpoint.isDirectTLS == (mode == .direct))
        }
        guard !allowed.isEmpty else { throw .noService(domain: domain) }
        return Array(sorted(allowed, using: &random).map(\.endpoint).prefix(maximum))
    }

    /// The servers where the user names one.
    static func endpoints(host: String, port: UInt16, mode: TLSMode) -> [Endpoint] {
        let direct = Endpoint(host: host, port: port == 0 ? 5223 : port, isDirectTLS: true)
        let plain = Endpoint(host: host, port: port == 0 ? 5222 : port, isDirectTLS: false)
        switch mode {
        case .direct: return [direct]
        case .startTLS: return [plain]
        case .automatic: return port == 5223 || port == 443 ? [direct, plain] : [plain, direct]
        }
    }

    /// By priority, the lowest number first, and within one by chance in proportion to the weights (RFC 2782).
    private static func sorted(
        _ records: [ServiceRecord], using random: inout some RandomNumberGenerator
    ) -> [ServiceRecord] {
        var order: [ServiceRecord] = []
        for priority in Set(records.map(\.priority)).sorted() {
            // Those without weight stand first, so that they have a small chance.
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
