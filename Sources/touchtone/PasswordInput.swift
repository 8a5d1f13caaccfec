// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TouchtoneCore

/// A password that a person types, or a script writes to standard input.
enum PasswordInput {
    /// The greatest length of a password, in bytes.
    static let maximumLength = 1024

    /// Reads a line from standard input, without showing it on a terminal; nil if it is empty, too long or given up.
    static func read() -> String? {
        var old = termios()
        guard tcgetattr(STDIN_FILENO, &old) == 0 else { return line { _, _ in false } }
        var hidden = old
        // The terminal sends each key: Ctrl+C would otherwise end the program and leave the terminal as it is.
        hidden.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        write(localized("Password: "))
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &old)
            write("\n")
        }
        return line(edits: edit)
    }

    /// Reads the bytes of one line and no further ones: what follows may be for another program.
    ///
    /// - Parameter edits: Takes a byte that changes the line or gives it up, and returns whether it has.
    private static func line(edits: (UInt8, inout [UInt8]?) -> Bool) -> String? {
        var bytes: [UInt8]? = []
        var byte: UInt8 = 0
        while Glibc.read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            guard !edits(byte, &bytes) else {
                if bytes == nil { return nil }
                continue
            }
            bytes?.append(byte)
            guard let bytes, bytes.count <= maximumLength else { return nil }
        }
        if bytes?.last == UInt8(ascii: "\r") { bytes?.removeLast() }
        guard let bytes, !bytes.isEmpty, !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Carries out the keys of a terminal: Ctrl+C and Ctrl+D give up, and BackSpace removes a character.
    private static func edit(_ byte: UInt8, _ bytes: inout [UInt8]?) -> Bool {
        switch byte {
        case 3, 4: bytes = nil
        case 8, 127:
            // The bytes 10xxxxxx continue a character.
            while let last = bytes?.popLast(), last & 0xC0 == 0x80 {}
        default: return false
        }
        return true
    }

    private static func write(_ text: String) {
        _ = text.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
    }
}
