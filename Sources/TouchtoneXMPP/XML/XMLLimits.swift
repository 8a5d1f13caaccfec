// SPDX-License-Identifier: GPL-3.0-or-later

/// The limits of what a server may send.
///
/// A stanza that exceeds one is skipped if `skippedBytes` allows it, and otherwise ends the stream.
struct XMLLimits: Hashable, Sendable {
    /// The depth of nested elements, including the stream's root.
    var depth = 64
    /// The size of a stanza in bytes, from its first `<` to its end.
    var stanzaBytes = 4 << 20
    /// The size in bytes of a tag, or of anything else that must be read as a whole.
    var tokenBytes = 128 << 10
    /// The number of attributes of an element, including namespace declarations.
    var attributes = 64
    /// The number of elements and attributes of a stanza.
    var nodes = 100_000
    /// The size of a skipped stanza in bytes; a larger one ends the stream, and zero skips none.
    var skippedBytes = 0

    /// The limits for an authenticated server, which allow a roster of some ten thousand buddies.
    ///
    /// Servers relay stanzas of up to 256 KiB by default, and of up to 10 MiB if so configured.
    static let session = XMLLimits(skippedBytes: 16 << 20)

    static let beforeSignIn = XMLLimits(stanzaBytes: 256 << 10, tokenBytes: 64 << 10, nodes: 4000)
}

enum XMLStreamError: Error, Hashable, Sendable {
    /// The data is not well-formed XML or not UTF-8; expat's message.
    case malformed(String)
    /// A DTD, an entity, a comment or a processing instruction, which are forbidden (RFC 6120 section 11.1).
    case restricted(String)
    /// One of `XMLLimits` is exceeded, and nothing can be skipped.
    case tooLarge(String)
}
