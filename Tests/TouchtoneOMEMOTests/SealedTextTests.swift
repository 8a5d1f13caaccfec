// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
import TouchtoneOMEMO

@Suite struct SealedTextTests {
    /// Encrypted by python3-cryptography with the key 0, 1, … 15 and an IV that begins with 100.
    private static let vectors: [(ivLength: UInt8, hex: String, text: String?)] = [
        (12, "5d108d19189dddd6bbdaef86615fa7cd15eb0f54a28c8ee5d50f100d16c006d1", "Grüße, 世界!"),
        (16, "6584d95d775af07e47cc539cd40582e01e501f47ecd5e2ea00930d6fad875cdd", "Grüße, 世界!"),
        (12, "6582ac05e04711a826bdfe2e144440ab", ""),
        // The bytes are not UTF-8.
        (12, "7b00b1457d406ee7c542a6871a6b124e95b690", nil),
    ]
    private static let key = Array(0..<16 as Range<UInt8>)

    @Test(arguments: vectors.indices) func textOfAnotherLibraryIsOpened(_ index: Int) throws {
        let vector = Self.vectors[index]
        let bytes = try #require(hexBytes(vector.hex))
        let iv = Array(100..<100 + vector.ivLength)
        let (payload, tag) = (Array(bytes.dropLast(16)), Array(bytes.suffix(16)))
        #expect(SealedText(iv: iv, payload: payload, keyAndTag: Self.key + tag).open() == vector.text)
        #expect(SealedText(iv: iv, payload: bytes, keyAndTag: Self.key).open() == vector.text)
    }

    @Test(arguments: ["", "a", "Grüße, 世界!", "🙂\u{0}\n", String(repeating: "long ", count: 20_000)])
    func textIsOpenedAgain(_ text: String) throws {
        let sealed = try SealedText.seal(text)
        #expect(sealed.iv.count == 12 && sealed.keyAndTag.count == 32)
        #expect(sealed.payload.count == text.utf8.count)
        #expect(sealed.open() == text)
        #expect(
            SealedText(
                iv: sealed.iv, payload: sealed.payload + sealed.keyAndTag.suffix(16),
                keyAndTag: Array(sealed.keyAndTag.prefix(16))
            ).open() == text)
    }

    @Test func keyAndIVAreNew() throws {
        let (one, other) = (try SealedText.seal("a"), try SealedText.seal("a"))
        #expect(one.keyAndTag.prefix(16) != other.keyAndTag.prefix(16) && one.iv != other.iv)
    }

    @Test func changedBitIsNoticed() throws {
        let sealed = try SealedText.seal("Hello")
        for bit in 0..<8 * 5 {
            var payload = sealed.payload
            payload[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(SealedText(iv: sealed.iv, payload: payload, keyAndTag: sealed.keyAndTag).open() == nil)
        }
        for bit in 0..<8 * 32 {
            var key = sealed.keyAndTag
            key[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(SealedText(iv: sealed.iv, payload: sealed.payload, keyAndTag: key).open() == nil)
        }
        for bit in 0..<8 * 12 {
            var iv = sealed.iv
            iv[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(
                SealedText(iv: iv, payload: sealed.payload, keyAndTag: sealed.keyAndTag).open() == nil)
        }
    }

    @Test(arguments: 0...40) func otherLengthsAreRefused(_ count: Int) throws {
        let sealed = try SealedText.seal("Hello")
        let bytes = [UInt8](repeating: 7, count: count)
        #expect(SealedText(iv: bytes, payload: sealed.payload, keyAndTag: sealed.keyAndTag).open() == nil)
        #expect(SealedText(iv: sealed.iv, payload: sealed.payload, keyAndTag: bytes).open() == nil)
        #expect(SealedText(iv: sealed.iv, payload: bytes, keyAndTag: Self.key).open() == nil)
    }
}

/// Returns the bytes of hex digits.
func hexBytes(_ hex: String) -> [UInt8]? {
    let digits = Array(hex)
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
        UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
    return bytes.count * 2 == digits.count ? bytes : nil
}
