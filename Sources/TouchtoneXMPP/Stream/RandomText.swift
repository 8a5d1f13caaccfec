// SPDX-License-Identifier: GPL-3.0-or-later

/// Text that nobody can guess: names of stanzas, nonces.
enum RandomText {
    /// Letters and digits, of the system's generator, which is fit for secrets.
    ///
    /// - Parameter length: in characters, each worth almost 6 bits.
    static func make(_ length: Int) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        var random = SystemRandomNumberGenerator()
        return String((0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] })
    }
}
