// SPDX-License-Identifier: GPL-3.0-or-later

/// Formats numbers as they are typed, with a library that is loaded at the first call; without it, the result
/// is nil, and the number is shown as typed.
public protocol AsYouTypeFormatting: AnyObject {
    /// Returns the number as shown in `region` (ISO 3166-1 alpha-2, upper case), unless it has a `+`.
    ///
    /// - Parameter number: The digits with an optional leading `+`, at most 40 characters.
    func format(_ number: String, region: String) -> String?
}
