// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio
internal import Glibc
internal import TouchtoneCore

/// The hash of an open file.
enum ContentHash {
    private static let block = 1 << 16

    /// Computes the hash of the first bytes of a file, and blocks; throws `.unreadable`, also if the file is shorter.
    static func compute(
        _ function: FileHash.Function, of file: Int32, size: Int64
    ) throws(FileTransferError) -> FileHash {
        guard let checksum = g_checksum_new(function.type) else { throw .unreadable }
        defer { g_checksum_free(checksum) }
        var (buffer, done) = ([UInt8](repeating: 0, count: block), Int64(0))
        while done < size {
            let wanted = Int(min(Int64(block), size - done))
            let count = buffer.withUnsafeMutableBytes { pread(file, $0.baseAddress, wanted, Int(done)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .unreadable }
            g_checksum_update(checksum, buffer, gssize(count))
            done += Int64(count)
        }
        let digits = g_checksum_get_string(checksum).map { String(cString: $0) } ?? ""
        guard let hash = FileHash(function, digits: digits) else { throw .unreadable }
        return hash
    }
}

extension FileHash.Function {
    fileprivate var type: GChecksumType {
        switch self {
        case .sha256: G_CHECKSUM_SHA256
        case .sha512: G_CHECKSUM_SHA512
        }
    }
}
