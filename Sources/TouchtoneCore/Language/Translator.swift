// SPDX-License-Identifier: GPL-3.0-or-later

private import Synchronization

/// A source of texts in the user’s language, such as gettext; thread-safe.
public protocol Translator: Sendable {
    /// Returns the translation, or the text itself; a context tells equal English texts apart.
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

public enum Translation {
    private static let translator = Mutex<any Translator>(English())

    /// Installs the translator, once, before the program uses any text.
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
