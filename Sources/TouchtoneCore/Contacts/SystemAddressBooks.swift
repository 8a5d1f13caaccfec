// SPDX-License-Identifier: GPL-3.0-or-later

/// The desktop's address books (Evolution Data Server's), where their service is there; they are read, and never written.
@MainActor
public protocol SystemAddressBooks: AnyObject {
    /// Told what the books have, from `start` on: first all of it, in pieces, then what changes.
    var onChange: ((AddressBooksChange) -> Void)? { get set }
    /// Looks for the service without starting it where it is not installed, and reads its books; returns at once.
    func start()
    /// The picture of a contact; nil where there is none, or it cannot be had.
    func photo(of id: Contact.ID) async -> [UInt8]?
    /// What a book is called on the desktop, by its id; nil where that is not known.
    func name(ofBook id: String) -> String?
}

extension SystemAddressBooks {
    /// Not known.
    public func name(ofBook id: String) -> String? { nil }
}

/// What has changed in the desktop's books.
public enum AddressBooksChange: Hashable, Sendable {
    /// These are there now, new or changed.
    case present([Contact])
    /// These are gone.
    case gone([Contact.ID])
    /// A book, or the service, is gone with all that it had; its id.
    case bookGone(String)
}
