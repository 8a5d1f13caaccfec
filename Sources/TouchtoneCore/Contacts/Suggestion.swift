// SPDX-License-Identifier: GPL-3.0-or-later

/// Somebody whom typed digits may mean.
public struct Suggestion: Hashable, Sendable, Identifiable {
    /// Which of a contact's numbers.
    public struct ID: Hashable, Sendable {
        /// Who.
        public let contact: Contact.ID
        /// Which of the contact's ways.
        public let method: Int
    }
    /// Which of a contact's numbers.
    public let id: ID
    /// What the contact is called.
    public let name: String
    /// The number.
    public let number: DialledNumber
    /// Where the number reaches.
    public let label: ContactMethod.Label
    /// Which characters of the name the digits type, by their offsets; empty where they are in the number.
    public let inName: Range<Int>
}
