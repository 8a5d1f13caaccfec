// SPDX-License-Identifier: GPL-3.0-or-later

/// Keeps the phone's own contacts, and its memory keys.
///
/// Nothing here holds the main thread up. Calls take effect in the order in which they are made; one that has ended well
/// is on the disk, and outlives the program's being killed.
@MainActor
public protocol ContactStore: AnyObject {
    /// All contacts, without their pictures, in no order.
    func contacts() async throws(StoreError) -> [Contact]
    /// Keeps new contacts in one transaction, and gives them as they are kept, in the same order.
    func add(_ contacts: [NewContact]) async throws(StoreError) -> [Contact]
    /// Keeps a contact in place of what was known of it; nothing happens where it is gone.
    func change(_ id: Int64, to card: ContactCard, photo: PhotoChange) async throws(StoreError)
    /// Takes contacts away, and gives the ids of those that were there, each once.
    ///
    /// They can be brought back by `restoreContacts` until they are forgotten, or until the program has ended.
    func deleteContacts(_ ids: [Int64]) async throws(StoreError) -> [Int64]
    /// Brings back those of these contacts that were deleted and not forgotten yet, and gives them.
    func restoreContacts(_ ids: [Int64]) async throws(StoreError) -> [Contact]
    /// Overwrites those of these contacts that were deleted: nothing of them is left in the file.
    func purgeContacts(_ ids: [Int64]) async throws(StoreError)
    /// The picture of a contact, as it was given; nil where there is none.
    func photo(of id: Int64) async throws(StoreError) -> [UInt8]?
    /// What the memory keys hold, by their digit, 1 to 9.
    func memoryKeys() async throws(StoreError) -> [Int: MemoryKey]
    /// Has a memory key, 1 to 9, hold that, or nothing.
    func setMemoryKey(_ digit: Int, _ key: MemoryKey?) async throws(StoreError)
}

/// A contact that is not kept yet.
public struct NewContact: Hashable, Sendable {
    /// What is told of it.
    public var card: ContactCard
    /// Its picture: JPEG or PNG, at most `ContactCard.maximumPhotoSize` bytes.
    public var photo: [UInt8]?

    /// Creates it.
    public init(_ card: ContactCard, photo: [UInt8]? = nil) {
        self.card = card
        self.photo = photo
        self.card.hasPhoto = photo != nil
    }
}

/// What becomes of a picture.
public enum PhotoChange: Hashable, Sendable {
    /// It stays as it is.
    case kept
    /// There is none any more.
    case removed
    /// It is this one now.
    case set([UInt8])
}

/// What a memory key of the phone holds.
public struct MemoryKey: Hashable, Sendable {
    /// The number that it dials.
    public var number: DialledNumber
    /// What it was called when it was stored; the book of contacts may know better now.
    public var name: String

    /// Creates it.
    public init(_ number: DialledNumber, name: String = "") { (self.number, self.name) = (number, name) }
}
