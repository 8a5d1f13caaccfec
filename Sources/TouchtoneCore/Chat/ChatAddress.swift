// SPDX-License-Identifier: GPL-3.0-or-later

/// Whom one talks with: the bare Jabber address of a buddy, in its one comparable form, or a name of the exchange's.
public struct ChatAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The address as it is written.
    public let text: String

    /// Takes an address that its service has brought into its comparable form.
    public init(_ text: String) { self.text = text }

    /// The practice exchange's buddy, who is there without an account.
    public static let operatorAddress = ChatAddress("operator")

    /// The address as it is written.
    public var description: String { text }

    /// Orders by the text, for lists that are to be the same each time.
    public static func < (left: ChatAddress, right: ChatAddress) -> Bool { left.text < right.text }
}
