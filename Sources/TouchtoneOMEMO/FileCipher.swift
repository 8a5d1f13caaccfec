// SPDX-License-Identifier: GPL-3.0-or-later

/// The encryption or decryption of a file, piece by piece (XEP-0454, AES-256-GCM with the tag at the end).
public final class FileCipher {
    public enum Direction: Sendable { case encrypting, decrypting }

    /// How much longer an encrypted file is.
    public static let tagLength = GCM.tagLength

    private let cipher: GCM
    private let direction: Direction
    /// The last bytes of an encrypted file, which may be the tag.
    private var held: [UInt8] = []
    private var isFinished = false

    public init(_ key: FileKey, _ direction: Direction) throws(SessionError) {
        cipher = try GCM(key: key.key, iv: key.iv)
        self.direction = direction
    }

    /// Returns the bytes that follow from a piece.
    ///
    /// Decrypted bytes are not verified: keep them in a hidden file until `finish` has returned.
    public func update(_ piece: [UInt8]) throws(SessionError) -> [UInt8] {
        guard !isFinished else { throw .malformed }
        switch direction {
        case .encrypting:
            var bytes = piece
            try cipher.encrypt(&bytes)
            return bytes
        case .decrypting:
            var bytes = held + piece
            held = Array(bytes.suffix(Self.tagLength))
            bytes.removeLast(held.count)
            try cipher.decrypt(&bytes)
            return bytes
        }
    }

    /// Returns the last bytes: the tag of an encrypted file, and none of a decrypted one.
    ///
    /// It throws `wrongKey` if the file was changed or cut off: then delete what came before.
    public func finish() throws(SessionError) -> [UInt8] {
        guard !isFinished else { throw .malformed }
        isFinished = true
        switch direction {
        case .encrypting: return try cipher.tag()
        case .decrypting:
            guard cipher.matches(held) else { throw .wrongKey }
            return []
        }
    }
}
