// SPDX-License-Identifier: GPL-3.0-or-later

/// A reader and writer of vCards, version 3 (RFC 2426) and 4 (RFC 6350); 2.1 is read where it is compatible.
public protocol VCardCoding: Sendable {
    /// Reads a file of vCards off the main thread; the file may be large, broken or malicious.
    ///
    /// A card without a name, a number and an address is omitted and counted; long texts are cut to the
    /// bounds of `ContactCard`.
    func read(_ bytes: [UInt8]) async throws(VCardError) -> VCardReadResult
    func write(_ contacts: [NewContact], version: VCardVersion) async -> [UInt8]
}

public enum VCardVersion: String, Hashable, Sendable, CaseIterable {
    /// RFC 2426, which all apps can read.
    case three = "3.0"
    /// RFC 6350.
    case four = "4.0"
}

public struct VCardReadResult: Hashable, Sendable {
    /// The contacts, in the file's order.
    public var contacts: [NewContact]
    /// The number of cards that could not be read.
    public var unreadable: Int
    /// The number of pictures that were omitted because they are too large or in an unknown format.
    public var photosLeftOut: Int
    /// The number of contacts with a text in a character set that is not supported, so that it may be wrong.
    public var unknownCharsets = 0
    /// The number of lists of contacts, which are not imported, since a list is no person.
    public var lists = 0

    public init(contacts: [NewContact], unreadable: Int = 0, photosLeftOut: Int = 0) {
        (self.contacts, self.unreadable, self.photosLeftOut) = (contacts, unreadable, photosLeftOut)
    }
}

public enum VCardError: Error, Hashable, Sendable {
    case tooLarge
    case noVCard

    /// The greatest size of a file, in bytes: 10,000 contacts with pictures have about 200 MB.
    public static let maximumFileSize = 268_435_456
}
