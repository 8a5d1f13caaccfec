// SPDX-License-Identifier: GPL-3.0-or-later

/// The letters on the keys, with which words are dialled (ITU-T E.161 section 3.1).
public enum Phonewords {
    /// Returns the key that carries a letter, A to Z in either case; nil for any other character.
    ///
    /// The `OPER` on 0 stands for the operator: its letters are dialled with the keys that carry them.
    public static func key(for letter: Character) -> DTMFKey? {
        switch letter {
        case "A", "B", "C", "a", "b", "c": .two
        case "D", "E", "F", "d", "e", "f": .three
        case "G", "H", "I", "g", "h", "i": .four
        case "J", "K", "L", "j", "k", "l": .five
        case "M", "N", "O", "m", "n", "o": .six
        case "P", "Q", "R", "S", "p", "q", "r", "s": .seven
        case "T", "U", "V", "t", "u", "v": .eight
        case "W", "X", "Y", "Z", "w", "x", "y", "z": .nine
        default: nil
        }
    }
}
