// SPDX-License-Identifier: GPL-3.0-or-later

/// The most that a server may send of each kind.
///
/// A stanza that passes one is skipped where `skippedBytes` allows it, and ends the stream where not.
public struct XMLLimits: Hashable, Sendable {
    /// Elements within one another, the stream's own counted.
    public var depth = 64
    /// Bytes of one stanza, from its first `<` to its end.
    public var stanzaBytes = 4 << 20
    /// Bytes of one tag, or of anything else that can only be read whole.
    public var tokenBytes = 128 << 10
    /// Attributes of one element, declarations of namespaces counted.
    public var attributes = 64
    /// Elements and attributes of one stanza.
    public var nodes = 100_000
    /// Bytes of a stanza that is skipped, from its first `<` to its end.
    ///
    /// One with more ends the stream. Zero skips none.
    public var skippedBytes = 0

    /// For a server that has proven who it is: a roster of some ten thousand buddies passes.
    ///
    /// Servers relay stanzas of up to 10 MiB where they are set so, and of 256 KiB where not.
    public static let session = XMLLimits(skippedBytes: 16 << 20)

    /// For a server that anyone could be.
    public static let beforeSignIn = XMLLimits(stanzaBytes: 256 << 10, tokenBytes: 64 << 10, nodes: 4000)

    /// Creates limits.
    public init(
        depth: Int = 64, stanzaBytes: Int = 4 << 20, tokenBytes: Int = 128 << 10, attributes: Int = 64,
        nodes: Int = 100_000, skippedBytes: Int = 0
    ) {
        self.depth = depth
        self.stanzaBytes = stanzaBytes
        self.tokenBytes = tokenBytes
        self.attributes = attributes
        self.nodes = nodes
        self.skippedBytes = skippedBytes
    }
}

/// Why what a server sends cannot be a stream.
public enum XMLStreamError: Error, Hashable, Sendable {
    /// It is not XML, or not UTF-8; the reason in expat's words.
    case malformed(String)
    /// It holds what a stream must not: a DTD, an entity, a comment or a processing instruction (RFC 6120 section
    /// 11.1).
    case restricted(String)
    /// One of `XMLLimits` is passed, and nothing can be skipped.
    case tooLarge(String)
}
