// SPDX-License-Identifier: GPL-3.0-or-later

/// The services with which conversations send and receive files.
public struct FileDependencies {
    let transfers: any FileTransfers
    let storage: any FileStorage
    let thumbnail: @MainActor ([UInt8]) async -> String?
    let removesMetadata: @MainActor () -> Bool

    /// - Parameters:
    ///   - thumbnail: Makes a very small copy of the picture in a file, as a PNG in Base64; nil if it cannot.
    ///   - removesMetadata: Whether to remove metadata of pictures, such as EXIF, before they are sent.
    public init(
        transfers: any FileTransfers, storage: any FileStorage,
        thumbnail: @escaping @MainActor ([UInt8]) async -> String? = { _ in nil },
        removesMetadata: @escaping @MainActor () -> Bool
    ) {
        (self.transfers, self.storage, self.thumbnail) = (transfers, storage, thumbnail)
        self.removesMetadata = removesMetadata
    }
}

/// How far a transfer is.
public struct FileProgress: Hashable, Sendable {
    public var done: Int64
    /// The size of the file in bytes; nil if it is not known.
    public var size: Int64?

    public init(done: Int64 = 0, size: Int64? = nil) { (self.done, self.size) = (done, size) }

    /// The transferred part, from 0 to 1; nil if the size is not known.
    public var fraction: Double? {
        guard let size, size > 0 else { return nil }
        return min(1, max(0, Double(done) / Double(size)))
    }

    /// Returns whether another progress looks the same on a bar of 100 steps.
    func looksLike(_ other: FileProgress) -> Bool {
        guard size == other.size, let fraction, let next = other.fraction else {
            return size == other.size && done / 100_000 == other.done / 100_000
        }
        return Int(fraction * 100) == Int(next * 100)
    }
}
