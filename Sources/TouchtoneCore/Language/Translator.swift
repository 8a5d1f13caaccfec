// SPDX-License-Identifier: GPL-3.0-or-later

private import Synchronization

/// A source of texts in the user's language, such as gettext.
///
/// It is called on any thread.
public protocol Translator: Sendable {
    /// Returns the translation of a text, or the text itself where there is none.
    ///
    /// - Parameters:
    ///   - text: the English text.
    ///   - context: distinguishes equal English texts of different meanings; nil for most texts.
    func text(_ text: StaticString, context: StaticString?) -> String

    /// Returns the form of a text that the user's language has for a number of things.
    ///
    /// - Parameters:
    ///   - text: the English text for one thing.
    ///   - plural: the English text for any other number of things.
    ///   - count: the number of things.
    func text(_ text: StaticString, plural: StaticString, count: Int) -> String

    /// Returns a number as the user's locale writes it, with its digits in groups; nil where the locale has no groups.
    func number(_ number: Int) -> String?
}

/// The program's translator.
public enum Translation {
    private static let translator = Mutex<any Translator>(English())

    /// Sets the translator of all texts from now on.
    ///
    /// A program does this once, before it asks for a text.
    public static func install(_ new: any Translator) {
        translator.withLock { $0 = new }
    }

    static var current: any Translator { translator.withLock { $0 } }
}

/// The texts as they stand in the source.
private struct English: Translator {
    func text(_ text: StaticString, context: StaticString?) -> String { text.description }

    func text(_ text: StaticString, plural: StaticString, count: Int) -> String {
        count == 1 ? text.description : plural.description
    }

    func number(_ number: Int) -> String? { nil }
}
