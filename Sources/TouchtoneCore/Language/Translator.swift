// SPDX-License-Identifier: GPL-3.0-or-later

private import Synchronization

/// A source of texts in the user’s language, such as gettext.
///
/// It is thread-safe.
public protocol Translator: Sendable {
    /// Returns the translation of a text, or the text itself if there is none.
    ///
    /// - Parameters:
    ///   - text: The English text.
    ///   - context: A context that distinguishes equal English texts with different meanings; nil for most texts.
    func text(_ text: StaticString, context: StaticString?) -> String

    /// Returns the translated form of a text for a number of things.
    ///
    /// - Parameters:
    ///   - text: The English text for one thing.
    ///   - plural: The English text for any other number of things.
    ///   - count: The number of things.
    func text(_ text: StaticString, plural: StaticString, count: Int) -> String

    /// Returns a number in the format of the user’s locale, or nil if the locale has none, as the C locale.
    func number(_ number: Int) -> String?
}

/// The program’s translator.
public enum Translation {
    private static let translator = Mutex<any Translator>(English())

    /// Installs the translator for all later texts.
    ///
    /// A program calls this once, before it uses any text.
    public static func install(_ new: any Translator) {
        translator.withLock { $0 = new }
    }

    static var current: any Translator { translator.withLock { $0 } }
}

/// The untranslated texts of the source.
private struct English: Translator {
    func text(_ text: StaticString, context: StaticString?) -> String { text.description }

    func text(_ text: StaticString, plural: StaticString, count: Int) -> String {
        count == 1 ? text.description : plural.description
    }

    func number(_ number: Int) -> String? { nil }
}
