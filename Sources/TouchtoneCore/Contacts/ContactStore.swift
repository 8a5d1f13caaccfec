// SPDX-License-Identifier: GPL-3.0-or-later

/// A store of the phone's own contacts and its memory keys.
///
/// No method blocks the main thread. Calls take effect in their order; a call that succeeded is on the disk, and
/// survives a crash of the app.
@MainActor
public protocol ContactStore: AnyObject {
    /// The health of the store, which the users of the store record.
    var health: StoreHealth { get }
    /// Returns all contacts, without their pictures, in no particular order.
    func contacts() async throws(StoreError) -> [Contact]
    /// Saves new contacts in one transaction, and returns them as saved, in the same order.
    func add(_ contacts: [NewContact]) async throws(StoreError) -> [Contact]
    /// Changes a contact; does nothing if it does not exist.
    func change(_ id: Int64, to card: ContactCard, photo: PhotoChange) async throws(StoreError)
    /// Deletes contacts, and returns the ids of those that existed, each once.
    ///
    /// `restoreContacts` can restore them until they are purged or the app quits.
    func deleteContacts(_ ids: [Int64]) async throws(StoreError) -> [Int64]
    /// Restores those of the contacts that were deleted and not purged, and returns them.
    func restoreContacts(_ ids: [Int64]) async throws(StoreError) -> [Contact]
    /// Overwrites those of the contacts that were deleted: nothing of them is left in the file.
    func purgeContacts(_ ids: [Int64]) async throws(StoreError)
    /// Returns the picture of a contact, as it was saved; nil if there is none.
    func photo(of id: Int64) async throws(StoreError) -> [UInt8]?
    /// Returns the contents of the memory keys, by digit, 1 to 9.
    func memoryKeys() async throws(StoreError) -> [Int: MemoryKey]
    /// Assigns a number to memory key 1-9, or clears the key if `key` is nil.
    func setMemoryKey(_ digit: Int, _ key: MemoryKey?) async throws(StoreError)
}

/// A contact that is not saved yet.
public struct NewContact: Hashable, Sendable {
    /// The details of the contact.
    public var card: ContactCard
    /// The picture: JPEG or PNG, at most `ContactCard.maximumPhotoSize` bytes.
    public var photo: [UInt8]?

    /// Creates a contact with an optional picture.
    public init(_ card: ContactCard, photo: [UInt8]? = nil) {
        self.card = card
        self.photo = photo
        self.card.hasPhoto = photo != nil
    }
}

/// A change of a picture.
public enum PhotoChange: Hashable, Sendable {
    /// The picture does not change.
    case kept
    /// The picture is removed.
    case removed
    /// The picture is replaced by this one.
    case set([UInt8])
}

/// The contents of a memory key.
public struct MemoryKey: Hashable, Sendable {
    /// The number that the key dials.
    public var number: DialledNumber
    /// The name at the time of storing; the contact book may have a newer one.
    public var name: String

    /// Creates the contents of a memory key.
    public init(_ number: DialledNumber, name: String = "") { (self.number, self.name) = (number, name) }
}
