// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio

/// An absolute URL with the scheme `https`, as libsoup reads it.
public struct WebAddress: Hashable, Sendable {
    public static let maximumBytes = 2048

    /// The URL in a normalized form.
    public let text: String
    /// The host in ASCII and lowercase, without a dot at the end; an IPv6 address without brackets.
    public let host: String

    /// Parses a URL; nil if it is invalid or too long, has a different scheme, control characters, spaces, or
    /// the name of a user, which only serves to feign a different host.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumBytes,
            text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7f }),
            let uri = g_uri_parse(text, Self.flags, nil)
        else { return nil }
        defer { g_uri_unref(uri) }
        guard let scheme = g_uri_get_scheme(uri), String(cString: scheme) == "https",
            g_uri_get_userinfo(uri) == nil, let host = g_uri_get_host(uri).flatMap({ Self.normalized($0) }),
            let whole = g_uri_to_string(uri)
        else { return nil }
        defer { g_free(whole) }
        (self.text, self.host) = (String(cString: whole), host)
    }

    /// Returns the absolute URL that a reference in a response to this one stands for; nil if it is invalid.
    public func resolving(_ reference: String) -> String? {
        guard reference.utf8.count <= Self.maximumBytes,
            let whole = g_uri_resolve_relative(text, reference, Self.flags, nil)
        else { return nil }
        defer { g_free(whole) }
        return String(cString: whole)
    }

    /// Returns a host in ASCII and lowercase, without a dot at the end; nil if it is invalid.
    public static func normalized(_ host: UnsafePointer<CChar>) -> String? {
        guard let ascii = g_hostname_to_ascii(host) else { return nil }
        defer { g_free(ascii) }
        var name = String(cString: ascii).lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        let isPlain = name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "-._:".utf8.contains($0)
            }
        }
        return isPlain && !name.isEmpty ? name : nil
    }

    /// The flags that libsoup parses a URL with (SOUP_HTTP_URI_FLAGS).
    private static var flags: GUriFlags {
        let all = [
            G_URI_FLAGS_HAS_PASSWORD, G_URI_FLAGS_ENCODED_PATH, G_URI_FLAGS_ENCODED_QUERY,
            G_URI_FLAGS_ENCODED_FRAGMENT, G_URI_FLAGS_SCHEME_NORMALIZE,
        ]
        return GUriFlags(rawValue: all.reduce(0) { $0 | $1.rawValue })
    }
}
