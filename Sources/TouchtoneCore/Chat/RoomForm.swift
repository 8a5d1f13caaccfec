// SPDX-License-Identifier: GPL-3.0-or-later

/// A form that a room asks the user to fill in (XEP-0004), such as its settings.
public struct RoomForm: Hashable, Sendable {
    public struct Option: Hashable, Sendable {
        /// The value that is sent.
        public let value: String
        public let label: String

        public init(_ value: String, label: String) { (self.value, self.label) = (value, label) }
    }

    /// The answer of a field, with its kind.
    public enum Answer: Hashable, Sendable {
        /// A text of the room, which is not sent.
        case note
        case toggle(Bool)
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

    public struct Field: Hashable, Sendable {
        /// The name that the room knows it by; empty for a note.
        public let name: String
        public let label: String
        public var answer: Answer

        public init(_ name: String, label: String, _ answer: Answer) {
            (self.name, self.label, self.answer) = (name, label, answer)
        }
    }

    /// The room's instructions; empty for none.
    public let instructions: String
    public var fields: [Field]

    public init(instructions: String = "", fields: [Field]) {
        (self.instructions, self.fields) = (instructions, fields)
    }
}
