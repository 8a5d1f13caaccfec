// SPDX-License-Identifier: GPL-3.0-or-later

/// The address of a Bluetooth device, such as `AA:BB:CC:DD:EE:FF`.
struct BluetoothAddress: Hashable, Sendable {
    /// The address with capital digits and colons.
    let text: String

    private static let prefix = "mobile-"

    /// Reads an address; nil if it is none.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 6, parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(Self.isDigit) })
        else {
            return nil
        }
        self.text = text.uppercased()
    }

    /// Reads the address in the id of a line; nil if it is not the id of a phone's line.
    init?(line id: String) {
        guard id.hasPrefix(Self.prefix), id == id.lowercased() else { return nil }
        let digits = Array(id.dropFirst(Self.prefix.count))
        guard digits.count == 12 else { return nil }
        let pairs = stride(from: 0, to: 12, by: 2).map { String(digits[$0...$0 + 1]) }
        self.init(pairs.joined(separator: ":"))
    }

    /// The id of the phone's line, in the setting `dial-line` too.
    var lineID: String { Self.prefix + text.lowercased().replacing(":", with: "") }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
