// SPDX-License-Identifier: GPL-3.0-or-later

public import HelperMessages

/// A helper of the tests that writes texts to files: another kind than the engine of SIP.
public enum Scribe: HelperKind {
    /// The settings: a name with which it signs.
    public struct Configuration: Codable, Hashable, Sendable {
        /// The name.
        public var name: String

        /// Creates settings.
        public init(name: String) { self.name = name }
    }

    /// The commands.
    public enum Command: Codable, Hashable, Sendable {
        /// Says a text, with the helper's name.
        case say(String)
        /// Writes a text to the file that comes with the command.
        case write(String)
        /// Counts the open descriptors.
        case count
        /// Tries to read a file.
        case read(path: String)
        /// Notes a number in the file for the phone.
        case note(Int)
        /// Ends without a word.
        case die
        /// Never executes another command.
        case hang
    }

    /// The events.
    public enum Event: Codable, Hashable, Sendable {
        case said(String, by: String)
        /// A text was written, or there was no file for it; `isInherited` if a program would inherit the file.
        case wrote(String, hasFile: Bool, isInherited: Bool)
        case counted(Int)
        case read(path: String, isAllowed: Bool)
    }

    /// The name of the program.
    public static let program = "testhelper"
    /// The version of the messages.
    public static let version = 3
}

/// The same helper with later messages.
public enum LaterScribe: HelperKind {
    /// The same settings.
    public typealias Configuration = Scribe.Configuration
    /// The same commands.
    public typealias Command = Scribe.Command
    /// The same events.
    public typealias Event = Scribe.Event

    /// The same program.
    public static let program = Scribe.program
    /// A later version of the messages.
    public static let version = Scribe.version + 1
}
