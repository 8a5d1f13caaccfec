// SPDX-License-Identifier: GPL-3.0-or-later

/// The other side of a conversation: a buddy’s bare Jabber address in normalized form, or the Operator.
public struct ChatAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let text: String

    /// Wraps an address that its service has already normalized.
    public init(_ text: String) { self.text = text }

    /// The practice exchange’s Operator, who is available without an account.
    public static let operatorAddress = ChatAddress("operator")

    /// Whether this is the address of an occupant of a room; a conversation with an occupant is private.
    public var isOccupant: Bool { text.utf8.contains(UInt8(ascii: "/")) }

    /// The address of the room, if this is that of an occupant; otherwise the address itself.
    var room: ChatAddress {
        text.utf8.firstIndex(of: UInt8(ascii: "/")).map { ChatAddress(String(text[..<$0])) } ?? self
    }

    /// The nickname of an occupant; nil for any other address.
    public var nickname: String? {
        text.utf8.firstIndex(of: UInt8(ascii: "/")).map { String(text[text.utf8.index(after: $0)...]) }
    }

    public var description: String { text }

    public static func < (left: ChatAddress, right: ChatAddress) -> Bool { left.text < right.text }
}
