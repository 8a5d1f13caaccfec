// SPDX-License-Identifier: GPL-3.0-or-later

/// The address from which a server received a request, as the Via field of its response says (RFC 3581).
struct SeenAddress {
    private let host: SIPAddress
    private let port: Int

    /// Reads a Via field; nil if the server did not say.
    init?(via: String) {
        var (host, port): (SIPAddress?, Int?)
        for parameter in via.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
            guard parts.count == 2 else { continue }
            switch parts[0].lowercased() {
            case "received": host = SIPAddress(numeric: parts[1].filter { $0 != "[" && $0 != "]" })
            case "rport": port = Int(parts[1])
            default: break
            }
        }
        guard let host, let port, 1...65_535 ~= port else { return nil }
        (self.host, self.port) = (host, port)
    }

    /// Returns whether this is a host and a port; a host that is a name may be any address.
    func isAt(host name: String, port: Int) -> Bool {
        let other = SIPAddress(numeric: name.filter { $0 != "[" && $0 != "]" })
        return self.port == port && (other == nil || other == host)
    }
}
