// SPDX-License-Identifier: GPL-3.0-or-later

/// A person that typed digits may mean: a contact's number, a buddy, or a number from the call history.
public struct Suggestion: Hashable, Sendable, Identifiable {
    public enum ID: Hashable, Sendable {
        /// A number of a contact, by its index in the contact's methods.
        case contact(Contact.ID, method: Int)
        case buddy(ChatAddress, Contact.ID?)
        case call(String)
    }

    public let id: ID
    /// The name of the person; empty if it is unknown.
    public let name: String
    /// The number; empty for a buddy without one.
    public let number: DialledNumber
    public let label: ContactMethod.Label
    /// The offsets of the name's characters that the digits type; empty if the digits match the number.
    public let inName: Range<Int>

    init(
        id: ID, name: String, number: DialledNumber, label: ContactMethod.Label = .other,
        inName: Range<Int> = 0..<0
    ) {
        (self.id, self.name, self.number, self.label, self.inName) = (id, name, number, label, inName)
    }

    /// The contact; nil if the person is not one.
    public var contact: Contact.ID? {
        switch id {
        case .contact(let contact, _): contact
        case .buddy(_, let contact): contact
        case .call: nil
        }
    }
}
