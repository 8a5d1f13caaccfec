// SPDX-License-Identifier: GPL-3.0-or-later

/// Text that cannot be guessed, for stanza ids and nonces.
enum RandomText {
    /// Returns letters and digits, each of almost 6 bits, from the system's secure generator.
    static func make(_ length: Int) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        var random = SystemRandomNumberGenerator()
        return String((0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] })
    }
}
