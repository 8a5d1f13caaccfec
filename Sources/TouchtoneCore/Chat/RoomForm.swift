// SPDX-License-Identifier: GPL-3.0-or-later

/// A form that a room asks the user to fill in (XEP-0004), such as its settings.
public struct RoomForm: Hashable, Sendable {
    /// An answer to choose.
    public struct Option: Hashable, Sendable {
        /// The value that is sent.
        public let value: String
        /// The text to show.
        public let label: String

        /// Creates an option.
        public init(_ value: String, label: String) { (self.value, self.label) = (value, label) }
    }

    /// The answer of a field, with its kind.
    public enum Answer: Hashable, Sendable {
        /// A text of the room, which is not sent.
        case note
        /// On or off.
        case toggle(Bool)
        /// A line of text.
        case line(String)
        /// A line of text that is not shown, such as a password.
        case secret(String)
        /// Several lines of text, each a value.
        case lines([String])
        /// One of the options, by its value; an empty value is none.
        case one(String, of: [Option])
        /// Any of the options, by their values.
        case any(Set<String>, of: [Option])
        /// Values that are sent as they are, and not shown.
        case hidden([String])
    }

    /// A field of the form.
    public struct Field: Hashable, Sendable {
        /// The name that the room knows it by; empty for a note.
        public let name: String
        /// The text to show.
        public let label: String
        /// The answer.
        public var answer: Answer

        /// Creates a field.
        public init(_ name: String, label: String, _ answer: Answer) {
            (self.name, self.label, self.answer) = (name, label, answer)
        }
    }

    /// The room's instructions; empty for none.
    public let instructions: String
    /// The fields, in the order of the room.
    public var fields: [Field]

    /// Creates a form.
    public init(instructions: String = "", fields: [Field]) {
        (self.instructions, self.fields) = (instructions, fields)
    }
}
