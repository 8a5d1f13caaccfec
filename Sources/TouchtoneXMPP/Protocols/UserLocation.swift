// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The place that a message tells of (XEP-0080).
enum UserLocation {
    static let namespace = "http://jabber.org/protocol/geoloc"

    /// Returns the place; nil if there is none, or its coordinates are invalid.
    static func place(in message: Message) -> GeoURI? {
        guard let location = message.extension(namespace, "geoloc"),
            let latitude = location.child("lat")?.text,
            let longitude = location.child("lon")?.text
        else { return nil }
        return GeoURI(latitude: latitude, longitude: longitude)
    }
}
