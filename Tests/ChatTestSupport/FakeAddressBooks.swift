// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// Desktop address books whose contents the test sets.
@MainActor
public final class FakeAddressBooks: SystemAddressBooks {
    /// The receiver of the changes that the test sends.
    public var onChange: ((AddressBooksChange) -> Void)?
    /// The pictures of the contacts.
    public var photos: [Contact.ID: [UInt8]] = [:]
    /// The names of the books, by their IDs.
    public var names: [String: String] = [:]
    /// The number of times that the books were started.
    public private(set) var starts = 0

    /// Creates empty books.
    public init() {}

    /// Counts the start.
    public func start() { starts += 1 }
    /// Returns the picture of a contact; nil if the test has set none.
    public func photo(of id: Contact.ID) async -> [UInt8]? { photos[id] }
    /// Returns the name of a book; nil if the test has set none.
    public func name(ofBook id: String) -> String? { names[id] }

    /// Sends a change.
    public func tell(_ change: AddressBooksChange) { onChange?(change) }
}
