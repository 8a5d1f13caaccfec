// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import TouchtoneFiles

@Suite struct SafeFileNameTests {
    @Test(arguments: [
        ("photo.jpg", "photo.jpg"), ("../../etc/passwd", "passwd"), ("..\\..\\a.txt", "a.txt"), ("/", "file"),
        ("", "file"), ("..", "file"), (".", "file"), (". . .", "file"), (".bashrc", "bashrc"),
        ("...a", "a"), ("a/..", "file"), ("a.txt/", "a.txt"), ("a\0b.txt", "ab.txt"), ("a\nb\r\tc", "abc"),
        ("gpj.\u{202e}exe.photo", "gpj.exe.photo"), ("\u{200f}\u{2066}.x", "x"), ("a\u{2028}b", "ab"),
        ("a\u{a0}b", "a b"), ("a.b. ", "a.b"), ("C:\\x?.png", "x_.png"), ("\u{1f600}.png", "\u{1f600}.png"),
        ("x/\u{301}../y", "y"), ("/\u{301}a", "\u{301}a"), (".\u{301}a", "\u{301}a"), (".tar.gz", "tar.gz"),
    ])
    func nameIsReducedToSafeOne(_ text: String, _ name: String) {
        #expect(Array(SafeFileName(text).numbered(1).unicodeScalars) == Array(name.unicodeScalars))
    }

    @Test func numberStandsBeforeExtension() {
        #expect(SafeFileName("photo.jpg").numbered(2) == "photo (2).jpg")
        #expect(SafeFileName("photo").numbered(3) == "photo (3)")
        #expect(SafeFileName("a.b c d e f g h i j k l m n").numbered(2) == "a.b c d e f g h i j k l m n (2)")
    }

    @Test func longNameKeepsItsExtension() {
        for piece in ["a", "é", "漢", "\u{1f600}", "e\u{301}"] {
            let name = SafeFileName(String(repeating: piece, count: 10_000) + ".jpeg")
            for number in [1, 2, 9999] {
                let text = name.numbered(number)
                #expect(text.utf8.count <= 255 && text.utf8.count > 245, "\(text.utf8.count)")
                #expect(text.hasSuffix(number == 1 ? ".jpeg" : " (\(number)).jpeg"))
            }
        }
    }

    @Test func noNameIsUnsafe() {
        var random = SplitMix64(seed: 2)
        let parts = [
            "/", "\\", ".", "..", " ", "\0", "\n", "\u{7f}", "\u{85}", "\u{202e}", "\u{200b}", "\u{feff}",
            "\u{301}",
            "a", "B", "é", "\u{1f468}\u{200d}\u{1f469}", "~", "-", "\u{2028}", "\u{e000}", "%2f", "\u{fffd}",
        ]
        var unsafe: [String] = []
        for _ in 0..<2000 {
            let count = Int.random(in: 0...300, using: &random)
            let text = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            unsafe += [1, 12].map { SafeFileName(text).numbered($0) }.filter { !Self.isSafe($0) }
        }
        #expect(unsafe == [])
    }

    private static func isSafe(_ name: String) -> Bool {
        let scalars = name.unicodeScalars
        let ends = [scalars.first, scalars.last]
        return !name.isEmpty && name.utf8.count <= 255 && !ends.contains(".") && !ends.contains(" ")
            && scalars.allSatisfy {
                switch $0.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: false
                default: $0 != "/" && $0 != "\\"
                }
            }
    }
}
