// SPDX-License-Identifier: GPL-3.0-or-later

/// A server with what it offered at the last sign-in, so that the next one need not wait for each offer.
struct KnownServer {
    let host: String
    /// The offers under TLS, and after authentication.
    let offer, session: StreamFeatures

    init(host: String, offer: StreamFeatures, session: StreamFeatures) {
        (self.host, self.offer, self.session) = (host, offer, session)
    }

    /// The texts to keep until the next start; nil if an offer is too long.
    var entries: [String]? {
        guard let offer = offer.stored, let session = session.stored else { return nil }
        return [host, offer, session]
    }

    /// Reads what `entries` wrote; returns nil if it is something else.
    init?(entries: [String]) {
        guard entries.count == 3, !entries[0].isEmpty, let offer = StreamFeatures(stored: entries[1]),
            let session = StreamFeatures(stored: entries[2])
        else { return nil }
        self.init(host: entries[0], offer: offer, session: session)
    }
}
