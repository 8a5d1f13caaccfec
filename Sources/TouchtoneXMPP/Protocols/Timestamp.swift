// SPDX-License-Identifier: GPL-3.0-or-later

import CGio

/// A time in XMPP's format (XEP-0082).
struct Timestamp: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The time in microseconds since 1 January 1970, UTC.
    let microseconds: Int64

    init(microseconds: Int64) { self.microseconds = microseconds }

    /// Parses a date with time and zone; returns nil if it is invalid.
    init?(_ text: String) {
        // GLib would read a text without a zone as local time.
        guard text.utf8.count <= 40, text.contains("T"), !text.utf8.contains(0) else { return nil }
        guard let zone = g_time_zone_new_utc() else { return nil }
        defer { g_time_zone_unref(zone) }
        guard let date = g_date_time_new_from_iso8601(text, zone) else { return nil }
        defer { g_date_time_unref(date) }
        microseconds = Int64(g_date_time_to_unix(date)) * 1_000_000 + Int64(g_date_time_get_microsecond(date))
    }

    static func < (one: Timestamp, other: Timestamp) -> Bool { one.microseconds < other.microseconds }

    /// The time in the format to send, with microseconds; empty after the year 9999.
    var description: String {
        let second = microseconds / 1_000_000 - (microseconds % 1_000_000 < 0 ? 1 : 0)
        guard let date = g_date_time_new_from_unix_utc(gint64(second)) else { return "" }
        defer { g_date_time_unref(date) }
        guard let text = g_date_time_format(date, "%Y-%m-%dT%H:%M:%S") else { return "" }
        defer { g_free(text) }
        let digits = String(1_000_000 + microseconds - second * 1_000_000).dropFirst()
        return "\(String(cString: text)).\(digits)Z"
    }
}

/// The time that a delayed stanza was sent (XEP-0203).
enum Delay {
    static let namespace = "urn:xmpp:delay"

    /// - Parameter authority: The entity that must have added the element; nil for any.
    static func stamp(in extensions: [XMLElement], by authority: JID? = nil) -> Timestamp? {
        let delays = extensions.filter { $0.isNamed("delay", namespace) }
        let mine = delays.first { delay in authority == nil || delay["from"].flatMap { JID($0) } == authority
        }
        return mine?["stamp"].flatMap { Timestamp($0) }
            ?? (authority == nil ? legacyStamp(in: extensions) : nil)
    }

    /// Reads the delay of old servers, whose times are in UTC (XEP-0091).
    private static func legacyStamp(in extensions: [XMLElement]) -> Timestamp? {
        guard let stamp = extensions.first(where: { $0.isNamed("x", "jabber:x:delay") })?["stamp"],
            stamp.utf8.count == 17, stamp.utf8.allSatisfy({ $0 < 0x80 })
        else { return nil }
        let (year, rest) = (stamp.prefix(4), stamp.dropFirst(4))
        return Timestamp("\(year)-\(rest.prefix(2))-\(rest.dropFirst(2))Z")
    }
}
