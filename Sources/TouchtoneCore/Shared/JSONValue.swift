// SPDX-License-Identifier: GPL-3.0-or-later

/// A value of a JSON document (RFC 8259).
public indirect enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])
}
