// SPDX-License-Identifier: GPL-3.0-or-later

/// The letters on the keys, with which words are dialled (ITU-T E.161 section 3.1).
public enum Phonewords {
    /// Returns the key that carries a letter, A to Z in either case; nil for any other character.
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

    /// Returns the letters printed on a key; empty if it has none.
    ///
    /// The `OPER` on 0 stands for the operator: its letters are dialled with the keys that carry them.
    public static func letters(of key: DTMFKey) -> String {
        switch key {
        case .two: "ABC"
        case .three: "DEF"
        case .four: "GHI"
        case .five: "JKL"
        case .six: "MNO"
        case .seven: "PQRS"
        case .eight: "TUV"
        case .nine: "WXYZ"
        case .zero: "OPER"
        default: ""
        }
    }
}
