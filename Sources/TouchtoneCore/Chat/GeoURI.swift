// SPDX-License-Identifier: GPL-3.0-or-later

/// A place on the earth, as a `geo:` address (RFC 5870) in the coordinates of WGS 84.
public struct GeoURI: Hashable, Sendable {
    /// The latitude and the longitude as written, in degrees.
    public let latitude, longitude: String

    static let scheme = "geo:"
    private static let maximum = 24

    /// Reads an address; returns nil if it has no valid coordinates, or they are not those of WGS 84.
    public init?(_ text: String) {
        guard text.utf8.count <= TextLink.limit, text.prefix(Self.scheme.count).lowercased() == Self.scheme
        else { return nil }
        let parts = text.dropFirst(Self.scheme.count).split(separator: ";", omittingEmptySubsequences: false)
        let system = parts.dropFirst().first { $0.lowercased().hasPrefix("crs=") }
        guard system.map({ $0.lowercased() == "crs=wgs84" }) ?? true, let place = parts.first else {
            return nil
        }
        // An app may add a query, which is no part of the standard.
        let numbers = place.prefix { $0 != "?" }.split(separator: ",", omittingEmptySubsequences: false)
        guard (2...3).contains(numbers.count) else { return nil }
        self.init(latitude: String(numbers[0]), longitude: String(numbers[1]))
    }

    /// Creates a place; nil if the numbers are no decimal ones, or out of range.
    public init?(latitude: String, longitude: String) {
        guard let north = Self.number(latitude), let east = Self.number(longitude),
            (-90...90).contains(north), (-180...180).contains(east)
        else { return nil }
        (self.latitude, self.longitude) = (latitude, longitude)
    }

    /// The address, without what else the original one had.
    public var text: String { "\(Self.scheme)\(latitude),\(longitude)" }

    /// The coordinates, such as “52.51630, 13.37770”, with five decimals at most: that is a metre.
    public var coordinates: String { "\(Self.short(latitude)), \(Self.short(longitude))" }

    private static func short(_ number: String) -> String {
        guard let point = number.firstIndex(of: ".") else { return number }
        return String(
            number.prefix(
                upTo: number.index(point, offsetBy: 6, limitedBy: number.endIndex) ?? number.endIndex))
    }

    private static func number(_ text: String) -> Double? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= maximum, (1...2).contains(parts.count),
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) })
        else { return nil }
        return Double(text)
    }
}
