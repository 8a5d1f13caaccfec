// SPDX-License-Identifier: GPL-3.0-or-later

/// A room that a server lists for everybody.
public struct PublicRoom: Hashable, Sendable {
    /// The greatest number of characters of a name.
    public static let maximumName = 100

    public let address: ChatAddress
    /// The name to show, as one line; never empty.
    public let name: String

    /// Creates an entry; the address stands in for a name without visible characters.
    public init(_ address: ChatAddress, name: String) {
        self.address = address
        let line = PlainText.line(name, maximum: Self.maximumName)
        self.name = line.allSatisfy(\.isWhitespace) ? Buddy.roomName(address) : line
    }
}
