// SPDX-License-Identifier: GPL-3.0-or-later

/// The desktop's address books (Evolution Data Server), if the service is available; they are read-only.
@MainActor
public protocol SystemAddressBooks: AnyObject {
    /// The receiver of the books' contents after `start`: first all contacts, in pieces, and then changes.
    var onChange: ((AddressBooksChange) -> Void)? { get set }
    /// Finds the service, without starting one that is not installed, and reads its books; returns immediately.
    func start()
    /// Returns the picture of a contact; nil if there is none or it is not available.
    func photo(of id: Contact.ID) async -> [UInt8]?
    /// Returns the name of a book on the desktop; nil if it is not known.
    func name(ofBook id: String) -> String?
}

extension SystemAddressBooks {
    public func name(ofBook id: String) -> String? { nil }
}

public enum AddressBooksChange: Hashable, Sendable {
    case present([Contact])
    case gone([Contact.ID])
    /// A book with that id was removed with its contacts, or its service ended.
    case bookGone(String)
}
