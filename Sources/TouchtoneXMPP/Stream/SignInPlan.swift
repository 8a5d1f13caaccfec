// SPDX-License-Identifier: GPL-3.0-or-later

/// The offer of a server, which stays the same until the server says otherwise (XEP-0388 section 2.1).
struct SignInPlan {
    let host: String
    let offer: SASL2Offer
    let features: StreamFeatures

    init(host: String, offer: SASL2Offer, features: StreamFeatures) {
        (self.host, self.offer, self.features) = (host, offer, features)
    }

    /// The words for the keyring; nil if the offer is too long.
    var stored: String? {
        guard let words = features.stored, !host.isEmpty, !host.contains(" ") else { return nil }
        return host + " " + words
    }

    /// Reads what `stored` wrote; returns nil if it is something else.
    init?(host: String, features: String) {
        guard let features = StreamFeatures(stored: features), let offer = features.extended else {
            return nil
        }
        self.init(host: host, offer: offer, features: features)
    }
}

extension StreamFeatures {
    /// The greatest size to keep, in bytes.
    private static let maximumSize = 16 << 10

    /// The features as one word; nil if they are too long.
    var stored: String? {
        let text = serialized
        return text.utf8.count <= Self.maximumSize ? Base64.encode(Array(text.utf8)) : nil
    }

    /// Reads what `stored` wrote; returns nil if it is something else.
    init?(stored word: String) {
        guard word.utf8.count <= 2 * Self.maximumSize, let bytes = Base64.decode(word) else { return nil }
        let start = "<stream:stream xmlns='\(Namespace.client)' xmlns:stream='\(Namespace.stream)'>"
        let events = try? XMLStreamParser(limits: .beforeSignIn).parse(Array(start.utf8) + bytes)
        guard events?.count == 2, case .stanza(let element)? = events?.last, Self.isNamed(element) else {
            return nil
        }
        self.init(element)
    }
}
