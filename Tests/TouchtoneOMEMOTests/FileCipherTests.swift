// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
import TouchtoneOMEMO

@Suite struct FileCipherTests {
    private static let file = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7 + 3) }

    /// A key of bytes 0 to 31, with an IV that begins with 100.
    private static func key(ivLength: UInt8) throws -> FileKey {
        try #require(FileKey(iv: Array(100..<100 + ivLength), key: Array(0..<32)))
    }

    /// Returns the result for a file in pieces of random lengths.
    private static func run(
        _ bytes: [UInt8], _ key: FileKey, _ direction: FileCipher.Direction,
        using generator: inout some RandomNumberGenerator
    ) throws -> [UInt8] {
        let cipher = try FileCipher(key, direction)
        var output: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 0...70, using: &generator))
            rest = rest.dropFirst(piece.count)
            output += try cipher.update(Array(piece))
        }
        return output + (try cipher.finish())
    }

    /// The ends are those that python3-cryptography computes.
    @Test(arguments: Seeds.all) func fileInPiecesIsThatOfAnotherLibrary(_ seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        for (length, start, end) in [
            (12, "4b11cf7e66cf7baa052016b88d3b0f91", "cfe39574669e344493f391690d23d2c7"),
            (16, "dbb95249fb320aec89bbe4d910898909", "1fd5e0db0938872c1021ba58a395a5fa"),
        ] as [(UInt8, String, String)] {
            let key = try Self.key(ivLength: length)
            let encrypted = try Self.run(Self.file, key, .encrypting, using: &generator)
            #expect(encrypted.count == Self.file.count + FileCipher.tagLength)
            #expect(Array(encrypted.prefix(16)) == hexBytes(start))
            #expect(Array(encrypted.suffix(16)) == hexBytes(end))
            #expect(try Self.run(encrypted, key, .decrypting, using: &generator) == Self.file)
        }
    }

    /// Test cases 13 and 14 of the GCM specification (McGrew and Viega).
    @Test func vectorsOfSpecification() throws {
        let key = try #require(
            FileKey(iv: [UInt8](repeating: 0, count: 12), key: [UInt8](repeating: 0, count: 32)))
        #expect(
            try FileCipher(key, .encrypting).finish() == hexBytes("530f8afbc74536b9a963b4f1c4cb738b"))
        let cipher = try FileCipher(key, .encrypting)
        let block = try cipher.update([UInt8](repeating: 0, count: 16))
        #expect(block == hexBytes("cea7403d4d606b6e074ec5d3baf39d18"))
        #expect(try cipher.finish() == hexBytes("d0d1c8a799996bf0265b98b5d48ab919"))
    }

    @Test(arguments: Seeds.all) func changedFileIsNoticed(_ seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let key = FileKey()
        #expect(key.iv.count == 12 && key.key.count == 32 && key != FileKey())
        let encrypted = try Self.run(Self.file, key, .encrypting, using: &generator)
        for _ in 0..<100 {
            var bytes = encrypted
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            #expect(throws: SessionError.wrongKey) {
                try Self.run(bytes, key, .decrypting, using: &generator)
            }
        }
        for bytes in [[], Array(encrypted.prefix(15)), Array(encrypted.dropLast()), encrypted + [0]] {
            #expect(throws: SessionError.wrongKey) {
                try Self.run(bytes, key, .decrypting, using: &generator)
            }
        }
        #expect(throws: SessionError.wrongKey) {
            try Self.run(encrypted, FileKey(), .decrypting, using: &generator)
        }
    }

    @Test(arguments: [FileCipher.Direction.encrypting, .decrypting])
    func finishedCipherTakesNothing(_ direction: FileCipher.Direction) throws {
        let cipher = try FileCipher(FileKey(), direction)
        _ = try? cipher.finish()
        #expect(throws: SessionError.malformed) { try cipher.update([1]) }
        #expect(throws: SessionError.malformed) { try cipher.finish() }
    }

    @Test func keyHasLengths() {
        for count in 0...40 {
            let bytes = [UInt8](repeating: 1, count: count)
            #expect((FileKey(iv: bytes, key: Array(0..<32)) != nil) == (count == 12 || count == 16))
            #expect((FileKey(iv: Array(0..<12), key: bytes) != nil) == (count == 32))
        }
    }
}

@Suite struct EncryptedFileLinkTests {
    private static let hex = String(repeating: "0123456789abcdef", count: 4)

    @Test(arguments: [24, 32]) func linkIsReadAndWritten(_ ivDigits: Int) throws {
        let digits = String(repeating: "fe", count: ivDigits / 2) + Self.hex
        let text = "aesgcm://files.example:5443/a%20b/c.jpg?x=1#" + digits
        let link = try #require(EncryptedFileLink(text))
        #expect(link.address == "https://files.example:5443/a%20b/c.jpg?x=1")
        #expect(link.key.iv == [UInt8](repeating: 0xFE, count: ivDigits / 2))
        #expect(link.key.key == hexBytes(Self.hex))
        #expect(link.text == text)
        #expect(EncryptedFileLink(address: link.address, key: link.key) == link)
        #expect(
            EncryptedFileLink("AESGCM://files.example/x#" + digits.uppercased())?.text
                == "aesgcm://files.example/x#" + digits)
    }

    @Test(arguments: [
        "", "aesgcm://", "https://files.example/x#", "aesgcm://files.example/x", "aesgcm:files.example/x#",
        "aesgcm:///x#", "aesgcm://#", "aesgcm://?x#", "aesgcm:// files.example/x#",
        "aesgcm://files.example/\n#",
        "aesgcm://files.example/ü#", "aesgcm://files.example/x##", "aesgcm://files.example/x#0",
        "aesgcm://files.example/x#00", "aesgcm://files.example/x#zz", " aesgcm://files.example/x#",
        "aesgcm://@files.example/x#", "aesgcm://\(String(repeating: "a", count: 5000))/x#",
    ])
    func otherTextsAreNoLink(_ start: String) {
        #expect(EncryptedFileLink(start + String(repeating: "fe", count: 12) + Self.hex) == nil)
        #expect(EncryptedFileLink(start) == nil)
    }

    @Test(arguments: 0...140) func fragmentHasLength(_ count: Int) {
        let link = EncryptedFileLink("aesgcm://files.example/x#" + String(repeating: "a", count: count))
        #expect((link != nil) == (count == 88 || count == 96))
    }

    @Test func addressIsHTTPSWithoutFragment() {
        for address in ["http://files.example/x", "https://files.example/x#y", "https://", "https:///x", "x"]
        {
            #expect(EncryptedFileLink(address: address, key: FileKey()) == nil)
        }
        #expect(
            EncryptedFileLink(address: "HTTPS://files.example/x", key: FileKey())?.address
                == "https://files.example/x")
    }
}
