// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TouchtoneCore

/// A password that a person types, or a script writes to standard input.
enum PasswordInput {
    /// The greatest length of a password, in bytes.
    static let maximumLength = 1024

    /// Reads a line from standard input, without showing it on a terminal; nil if it is empty or too long.
    static func read() -> String? {
        guard isatty(STDIN_FILENO) != 0 else { return line() }
        var old = termios()
        guard tcgetattr(STDIN_FILENO, &old) == 0 else { return nil }
        var hidden = old
        hidden.c_lflag &= ~tcflag_t(ECHO)
        write(localized("Password: "))
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &old)
            write("\n")
        }
        return line()
    }

    /// Reads the bytes of one line and no further ones: what follows may be for another program.
    private static func line() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while Glibc.read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            guard bytes.count < maximumLength else { return nil }
            bytes.append(byte)
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func write(_ text: String) {
        _ = text.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
    }
}
