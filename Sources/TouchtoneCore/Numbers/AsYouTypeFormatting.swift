// SPDX-License-Identifier: GPL-3.0-or-later

/// A formatter of numbers as they are typed, by the rules of a numbering plan.
///
/// It may use a library that is loaded at the first call. It returns nil if the library is not available, and the
/// number is then shown as typed.
public protocol AsYouTypeFormatting: AnyObject {
    /// Returns the number as shown in `region` (ISO 3166-1 alpha-2, upper case).
    ///
    /// - Parameters:
    ///   - number: The digits with an optional leading `+`, at most 40 characters.
    ///   - region: The region of a number without `+`; ignored for an international one.
    func format(_ number: String, region: String) -> String?
}

/// A formatter of numbers for dialling, by the rules of a numbering plan.
///
/// Like `AsYouTypeFormatting`, it may use a library that is loaded at the first call.
public protocol OutgoingFormatting: AnyObject {
    /// Returns the number as dialled from `region` (ISO 3166-1 alpha-2, upper case); nil leaves it unchanged.
    ///
    /// - Parameters:
    ///   - number: The digits with an optional leading `+`, at most 40 characters.
    ///   - form: The form of the result, which has no separators.
    func outgoing(_ number: String, form: DialRules.Form, region: String) -> String?
}
