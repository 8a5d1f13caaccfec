// SPDX-License-Identifier: GPL-3.0-or-later

/// Formats a number as it is typed, by the rules of a numbering plan.
///
/// The answer may come from a library that is loaded at the first call; nil says that it can't be had, and the
/// number is then shown as typed.
public protocol AsYouTypeFormatting: AnyObject {
    /// The number as shown in `region` (ISO 3166-1 alpha-2, upper case).
    ///
    /// - Parameters:
    ///   - number: digits with an optional leading `+`, at most 40 characters.
    ///   - region: the plan for a number without `+`; ignored for an international one.
    func format(_ number: String, region: String) -> String?
}

/// Formats a number for dialling, by the rules of a numbering plan.
///
/// As with `AsYouTypeFormatting`, the answer may come from a library that is loaded at the first call.
public protocol OutgoingFormatting: AnyObject {
    /// The number as it is dialled from `region` (ISO 3166-1 alpha-2, upper case); nil where it should stay as it is.
    ///
    /// - Parameters:
    ///   - number: digits with an optional leading `+`, at most 40 characters.
    ///   - form: the form of the answer, which has no separators.
    func outgoing(_ number: String, form: DialRules.Form, region: String) -> String?
}
