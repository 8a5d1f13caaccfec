// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The colour that tells the occupants of a room apart, the same in all clients that follow XEP-0392.
struct NicknameColor: Hashable {
    /// The number of colours in the style sheet, whose hues have the same distance.
    static let count = 12
    /// The number of the colour, from 0 on.
    let number: Int

    /// - Returns: Nil for a sender who is not one of many.
    init?(of sender: MessageSender) {
        guard case .occupant(let occupant) = sender else { return nil }
        self.init(of: occupant.address?.description ?? occupant.nickname)
    }

    /// - Parameter name: A bare address or, if that is not known, a nickname.
    init(of name: String) {
        number = Int((Self.angle(of: name) * Double(Self.count) / 360).rounded()) % Self.count
    }

    /// Returns the hue in degrees, from 0 to less than 360 (XEP-0392, section 5.1).
    static func angle(of name: String) -> Double {
        let bytes = Array(name.utf8)
        guard let digest = g_compute_checksum_for_data(G_CHECKSUM_SHA1, bytes, gsize(bytes.count)) else {
            return 0
        }
        defer { g_free(digest) }
        let hex = String(cString: digest)
        // The first two bytes, the second one being the more significant.
        guard let low = UInt8(hex.prefix(2), radix: 16),
            let high = UInt8(hex.dropFirst(2).prefix(2), radix: 16)
        else { return 0 }
        return Double(UInt16(high) << 8 | UInt16(low)) / 65536 * 360
    }

    /// The class of the style sheet.
    var style: String { "hue-\(number)" }
}
