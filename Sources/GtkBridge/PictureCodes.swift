// SPDX-License-Identifier: GPL-3.0-or-later

/// The QR codes in a picture of anybody: the process that decodes it finds them, too, with libzbar.
@MainActor
public enum PictureCodes {
    public enum Answer: Hashable, Sendable {
        /// The texts of the different codes, at most two, of at most 4,096 bytes.
        case texts([String])
        /// It is not a PNG, JPEG, GIF or WebP picture, is too large, or takes too much work.
        case unreadable
        /// libzbar is not installed.
        case noLibrary
    }

    /// The greatest side of the picture in which codes are looked for; a larger one is reduced.
    private nonisolated static let side = 2048
    private nonisolated static let maximumPixels = 64_000_000

    /// Finds the codes on a background thread, after earlier pictures.
    public static func read(_ bytes: [UInt8]) async -> Answer {
        await PictureDecoder.thread.run {
            guard bytes.count <= PictureFile.maximumBytes,
                let found = PictureDecoder.decoded(
                    bytes, as: .codes, side: side, fits: { $0 * $1 <= maximumPixels }),
                let isAble = found.first
            else { return .unreadable }
            guard isAble == 1 else { return .noLibrary }
            return texts(found.dropFirst()).map { .texts($0) } ?? .unreadable
        }
    }

    /// Parses the answer of the process, which a picture may have broken: texts, each after its length in four bytes.
    nonisolated static func texts(_ bytes: ArraySlice<UInt8>) -> [String]? {
        var (rest, texts) = (bytes, [String]())
        while !rest.isEmpty {
            guard rest.count >= 4, texts.count < 2 else { return nil }
            let count = rest.withUnsafeBytes { Int($0.loadUnaligned(as: UInt32.self)) }
            guard count <= min(4096, rest.count - 4) else { return nil }
            texts.append(String(decoding: rest.dropFirst(4).prefix(count), as: UTF8.self))
            rest = rest.dropFirst(4 + count)
        }
        return texts
    }
}
