// SPDX-License-Identifier: GPL-3.0-or-later

/// A store of the phone's own contacts and its memory keys; no method blocks the main thread.
///
/// Calls take effect in their order; a call that succeeded is on the disk.
@MainActor
public protocol ContactStore: AnyObject {
    var health: StoreHealth { get }
    /// Returns all contacts, without their pictures, in no particular order.
    func contacts() async throws(StoreError) -> [Contact]
    /// Saves new contacts in one transaction, and returns them as saved, in the same order.
    func add(_ contacts: [NewContact]) async throws(StoreError) -> [Contact]
    func change(_ id: Int64, to card: ContactCard, photo: PhotoChange) async throws(StoreError)
    /// Deletes contacts until they are restored, purged or the app quits; returns the ids of those that
    /// existed.
    func deleteContacts(_ ids: [Int64]) async throws(StoreError) -> [Int64]
    /// Restores those of the contacts that were deleted and not purged, and returns them.
    func restoreContacts(_ ids: [Int64]) async throws(StoreError) -> [Contact]
    /// Overwrites those of the contacts that were deleted: nothing of them is left in the file.
    func purgeContacts(_ ids: [Int64]) async throws(StoreError)
    func photo(of id: Int64) async throws(StoreError) -> [UInt8]?
    /// Returns the contents of the memory keys, by digit, 1 to 9.
    func memoryKeys() async throws(StoreError) -> [Int: MemoryKey]
    /// Assigns a number or an address to memory key 1-9, or clears the key if `key` is nil.
    func setMemoryKey(_ digit: Int, _ key: MemoryKey?) async throws(StoreError)
}

public struct NewContact: Hashable, Sendable {
    public var card: ContactCard
    /// The picture: JPEG, PNG or GIF, at most `ContactCard.maximumPhotoSize` bytes.
    public var photo: [UInt8]?

    public init(_ card: ContactCard, photo: [UInt8]? = nil) {
        self.card = card
        self.photo = photo
        self.card.hasPhoto = photo != nil
    }
}

public enum PhotoChange: Hashable, Sendable {
    case kept
    case removed
    case set([UInt8])
}

public struct MemoryKey: Hashable, Sendable {
    /// The number or the SIP address.
    public var target: CallTarget
    /// The name at the time of storing; the contact book may have a newer one.
    public var name: String

    public init(_ target: CallTarget, name: String = "") { (self.target, self.name) = (target, name) }

    public init(_ number: DialledNumber, name: String = "") { self.init(.number(number), name: name) }
}
