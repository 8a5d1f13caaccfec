// SPDX-License-Identifier: GPL-3.0-or-later

/// A stream whose address has been requested, while the answer is on its way: what is sent follows the request.
@MainActor
final class StreamOpening {
    let stream: XMLStream
    /// The server's last offer after authentication.
    let features: StreamFeatures
    /// Whether copies of other devices' messages have been requested with the address.
    let hasCarbons: Bool
    /// The stanzas that were sent, oldest first.
    private(set) var sent: [XMLElement] = []

    init(_ stream: XMLStream, features: StreamFeatures, hasCarbons: Bool = false) {
        (self.stream, self.features, self.hasCarbons) = (stream, features, hasCarbons)
    }

    /// Sends a stanza; returns false if there are too many.
    func send(_ stanza: XMLElement) -> Bool {
        guard sent.count < StreamManagement.maximumWaiting else { return false }
        sent.append(stanza)
        stream.send(stanza)
        return true
    }
}
