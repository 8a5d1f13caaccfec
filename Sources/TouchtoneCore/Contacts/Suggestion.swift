// SPDX-License-Identifier: GPL-3.0-or-later

/// A contact's number that typed digits may mean.
public struct Suggestion: Hashable, Sendable, Identifiable {
    /// The identifier of a contact's number.
    public struct ID: Hashable, Sendable {
        /// The contact.
        public let contact: Contact.ID
        /// The index of the number in the contact's methods.
        public let method: Int
    }
    /// The identifier of the contact's number.
    public let id: ID
    /// The name of the contact.
    public let name: String
    /// The number.
    public let number: DialledNumber
    /// The place or device of the number.
    public let label: ContactMethod.Label
    /// The offsets of the name's characters that the digits type; empty if the digits match the number.
    public let inName: Range<Int>
}
