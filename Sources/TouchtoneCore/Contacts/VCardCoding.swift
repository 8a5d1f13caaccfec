// SPDX-License-Identifier: GPL-3.0-or-later

/// A reader and writer of vCards, version 3 (RFC 2426) and 4 (RFC 6350); 2.1 is read where it is compatible.
public protocol VCardCoding: Sendable {
    /// Reads a file of vCards off the main thread; the file may be large, broken or malicious.
    ///
    /// A card that cannot be read, or that has neither a name nor a number nor an address, is omitted and counted. Long
    /// texts are cut to the bounds of `ContactCard`.
    ///
    /// - Throws: `VCardError` if no part of the file can be read.
    func read(_ bytes: [UInt8]) async throws(VCardError) -> VCardReadResult
    /// Returns a file with contacts.
    func write(_ contacts: [NewContact], version: VCardVersion) async -> [UInt8]
}

/// A vCard version that can be written.
public enum VCardVersion: String, Hashable, Sendable, CaseIterable {
    /// RFC 2426, which all apps can read.
    case three = "3.0"
    /// RFC 6350.
    case four = "4.0"
}

/// The result of reading a file.
public struct VCardReadResult: Hashable, Sendable {
    /// The contacts, in the file's order.
    public var contacts: [NewContact]
    /// The number of cards that could not be read.
    public var unreadable: Int
    /// The number of pictures that were omitted because they are too large or in an unknown format.
    public var photosLeftOut: Int
    /// The number of contacts with a text in a character set that is not supported, so that it may be wrong.
    public var unknownCharsets = 0

    /// Creates a result.
    public init(contacts: [NewContact], unreadable: Int = 0, photosLeftOut: Int = 0) {
        (self.contacts, self.unreadable, self.photosLeftOut) = (contacts, unreadable, photosLeftOut)
    }
}

/// A reason why vCards cannot be read.
public enum VCardError: Error, Hashable, Sendable {
    /// The file is larger than `maximumFileSize`.
    case tooLarge
    /// The file contains no vCard.
    case noVCard

    /// The greatest size of a file, in bytes: 10,000 contacts with pictures have about 200 MB.
    public static let maximumFileSize = 268_435_456
}
