// SPDX-License-Identifier: GPL-3.0-or-later

/// The way in which numbers are written on a line.
public struct DialRules {
    /// The form of a number on the line.
    public enum Form: String, Hashable, Sendable, CaseIterable {
        /// The number as it was dialled.
        case asDialled = "as-dialled"
        /// The number as dialled within the line's country: `020 7946 0958`; numbers of other countries follow the
        /// prefix for international calls.
        case national
        /// The number with `+` and the country's code.
        case international
    }

    /// Digits, `*` and `#` dialled before every number, such as the `9` of a company's exchange.
    public let prefix: String
    public let form: Form

    private let format: (String, Form) -> String?

    /// The greatest length of a prefix, in characters.
    public static let maximumPrefixLength = 20

    /// Creates rules; without arguments they change nothing.
    ///
    /// - Parameter format: A function that returns a number, digits with an optional leading `+`, in a form other than
    ///   `.asDialled`, or nil to leave it unchanged. It is called only for numbers that need it.
    public init(
        prefix: String = "", form: Form = .asDialled,
        format: @escaping (String, Form) -> String? = { _, _ in nil }
    ) {
        (self.prefix, self.form, self.format) = (prefix, form, format)
    }

    /// Creates rules from settings, which may have any value; an invalid value is ignored.
    public init(
        prefix: String, formNamed form: String, format: @escaping (String, Form) -> String? = { _, _ in nil }
    ) {
        let isPrefix =
            prefix.utf8.count <= Self.maximumPrefixLength && prefix.allSatisfy { "0123456789*#".contains($0) }
        self.init(prefix: isPrefix ? prefix : "", form: Form(rawValue: form) ?? .asDialled, format: format)
    }

    /// Returns a number as the line dials it, or the number itself if the result would be invalid.
    ///
    /// Codes with `*` or `#` belong to the network, and the characters after a pause to the far end.
    public func apply(to number: DialledNumber) -> DialledNumber {
        let main = String(number.main)
        var text = main
        if form != .asDialled, !main.contains(where: { $0 == "*" || $0 == "#" }) {
            text = format(main, form) ?? main
        }
        // A plus can only come first: behind a prefix, the number has its national form.
        if !prefix.isEmpty, text.hasPrefix("+") {
            let national = format(text, .national) ?? main
            text = national.hasPrefix("+") ? main : national
        }
        return DialledNumber(prefix + text + number.text.dropFirst(main.count)) ?? number
    }
}
