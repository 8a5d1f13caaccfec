// SPDX-License-Identifier: GPL-3.0-or-later

/// The encrypted text of a message, and the key that each device gets in its session (XEP-0384 0.3, AES-128-GCM).
public struct SealedText: Hashable, Sendable {
    public let iv: [UInt8]
    public let payload: [UInt8]
    /// The key, and the tag of 16 bytes.
    ///
    /// Older clients leave the tag at the end of the payload.
    public let keyAndTag: [UInt8]

    public init(iv: [UInt8], payload: [UInt8], keyAndTag: [UInt8]) {
        self.iv = iv
        self.payload = payload
        self.keyAndTag = keyAndTag
    }

    /// Encrypts a text with a new key.
    public static func seal(_ text: String) throws(SessionError) -> SealedText {
        let key = RandomBytes.make(keyLength)
        let iv = RandomBytes.make(12)
        let cipher = try GCM(key: key, iv: iv)
        var payload = Array(text.utf8)
        try cipher.encrypt(&payload)
        return SealedText(iv: iv, payload: payload, keyAndTag: key + (try cipher.tag()))
    }

    /// Returns the text; nil if anything has been changed, or it is not UTF-8.
    public func open() -> String? {
        guard GCM.isIV(iv) else { return nil }
        var bytes = payload
        let tag: [UInt8]
        switch keyAndTag.count {
        case Self.keyLength + GCM.tagLength: tag = Array(keyAndTag.suffix(GCM.tagLength))
        case Self.keyLength:
            tag = Array(payload.suffix(GCM.tagLength))
            bytes.removeLast(tag.count)
        default: return nil
        }
        guard let cipher = try? GCM(key: Array(keyAndTag.prefix(Self.keyLength)), iv: iv),
            (try? cipher.decrypt(&bytes)) != nil, cipher.matches(tag)
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static let keyLength = 16
}
