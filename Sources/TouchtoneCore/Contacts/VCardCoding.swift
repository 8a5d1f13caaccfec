// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads and writes vCards: version 3 (RFC 2426) and 4 (RFC 6350); 2.1 is read as far as it is like them.
public protocol VCardCoding: Sendable {
    /// Reads a file of vCards, off the main thread, however large, broken or malicious it is.
    ///
    /// A card that cannot be read is left out and counted; so is one with neither a name nor a way. What is too long is
    /// cut to the bounds of `ContactCard`.
    ///
    /// - Throws: `VCardError` where nothing of the file can be read.
    func read(_ bytes: [UInt8]) async throws(VCardError) -> VCardReadResult
    /// Writes contacts as one file.
    func write(_ contacts: [NewContact], version: VCardVersion) async -> [UInt8]
}

/// The versions that are written.
public enum VCardVersion: String, Hashable, Sendable, CaseIterable {
    /// RFC 2426, which all programs read.
    case three = "3.0"
    /// RFC 6350.
    case four = "4.0"
}

/// What was read of a file.
public struct VCardReadResult: Hashable, Sendable {
    /// The contacts, in the file's order.
    public var contacts: [NewContact]
    /// How many cards could not be read.
    public var unreadable: Int
    /// How many pictures were left out: too large, or none that is known.
    public var photosLeftOut: Int

    /// Creates it.
    public init(contacts: [NewContact], unreadable: Int = 0, photosLeftOut: Int = 0) {
        (self.contacts, self.unreadable, self.photosLeftOut) = (contacts, unreadable, photosLeftOut)
    }
}

/// Why vCards cannot be read.
public enum VCardError: Error, Hashable, Sendable {
    /// The file is larger than `maximumFileSize`.
    case tooLarge
    /// There is no vCard in it.
    case noVCard

    /// How many bytes a file has at most: 10,000 contacts with pictures are about 200 MB.
    public static let maximumFileSize = 268_435_456
}
