// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio
internal import GLibBridge
internal import Glibc
internal import TouchtoneCore
internal import TouchtoneOMEMO

/// A file that is open for its upload.
@MainActor
final class OutgoingUpload: OutgoingFile {
    let size: Int64
    private let file: FileDescriptor
    private let mediaType: String
    private let transfers: WebTransfers
    private let thread = BackgroundThread("send")

    init(_ file: FileDescriptor, mediaType: String, transfers: WebTransfers) {
        (self.file, size) = (file, file.size)
        (self.mediaType, self.transfers) = (mediaType, transfers)
    }

    func hash() async throws(FileTransferError) -> FileHash {
        let file = file
        return try await thread.run {
            Result { () throws(FileTransferError) in
                try ContentHash.compute(.sha256, of: file.number, size: file.size)
            }
        }.get()
    }

    func read(at offset: Int64, count: Int) async throws(FileTransferError) -> [UInt8] {
        let file = file
        return try await thread.run {
            Result { () throws(FileTransferError) in try file.bytes(at: offset, count: count) }
        }.get()
    }

    func encrypted() async throws(FileTransferError) -> EncryptedCopy {
        let file = file
        let (copy, key) = try await thread.run {
            Result { () throws(FileTransferError) in try file.encrypted() }
        }.get()
        return EncryptedCopy(OutgoingUpload(copy, mediaType: "", transfers: transfers)) {
            EncryptedFileLink(address: $0, key: key)?.text
        }
    }

    func upload(to slot: FileSlot, progress: @escaping @MainActor (Int64) -> Void)
        async throws(FileTransferError)
    {
        guard let address = WebAddress(slot.put) else { throw .invalidAddress }
        let (file, size, type) = (file, size, MediaType.checked(mediaType) ?? "application/octet-stream")
        let steps = ProgressSteps { count, _ in progress(count) }
        let status = try await transfers.transfer("upload", steps) { request throws(FileTransferError) in
            try request.put(
                address.text, mediaType: type, headers: slot.headers, file: file.number, size: size)
            return request.status
        }
        guard status == 200 || status == 201 else { throw .refused(status: status) }
    }
}

/// A file that is closed when the object is released.
final class FileDescriptor: Sendable {
    let number: Int32
    /// The size of the file when it was opened, in bytes.
    let size: Int64

    private init(taking number: Int32, size: Int64) { (self.number, self.size) = (number, size) }

    deinit { close(number) }

    /// Opens a file, or a copy of a picture without its metadata.
    static func reading(_ path: String, mediaType: String, removesMetadata: Bool)
        throws(FileTransferError) -> FileDescriptor
    {
        // A named pipe must not block the thread.
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw .unreadable }
        var status = stat()
        let isFile = fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        let file = FileDescriptor(taking: number, size: Int64(status.st_size))
        guard isFile else { throw .unreadable }
        guard removesMetadata else { return file }
        guard PictureMetadata.isPicture(try file.bytes(atMost: 64), mediaType: mediaType) else { return file }
        guard file.size <= PictureMetadata.maximumBytes else { throw .metadataNotRemoved }
        let bytes = try file.bytes(atMost: PictureMetadata.maximumBytes)
        guard let clean = PictureMetadata.removed(from: bytes) else { throw .metadataNotRemoved }
        return clean == bytes ? file : try temporary(clean)
    }

    private func bytes(atMost maximum: Int64) throws(FileTransferError) -> [UInt8] {
        try bytes(at: 0, count: Int(min(size, maximum)))
    }

    /// Returns exactly as many bytes of the file.
    func bytes(at offset: Int64, count wanted: Int) throws(FileTransferError) -> [UInt8] {
        var (bytes, isRead) = ([UInt8](repeating: 0, count: wanted), true)
        var count = 0
        while isRead, count < bytes.count {
            let read = bytes.withUnsafeMutableBytes {
                pread(number, $0.baseAddress?.advanced(by: count), $0.count - count, Int(offset) + count)
            }
            if read > 0 { count += read } else { isRead = read < 0 && errno == EINTR }
        }
        guard count == bytes.count else { throw .unreadable }
        return bytes
    }

    /// Writes bytes to a temporary file.
    private static func temporary(_ bytes: [UInt8]) throws(FileTransferError) -> FileDescriptor {
        let file = try temporary(in: nil, size: Int64(bytes.count))
        try write(bytes, to: file.number)
        return file
    }

    /// Creates a file without a name, which is gone when it is closed, even if the program is killed.
    ///
    /// - Parameters:
    ///   - folder: The folder to prefer; nil for the one of temporary files.
    ///   - size: The number of bytes that will be written.
    static func temporary(in folder: String?, size: Int64) throws(FileTransferError) -> FileDescriptor {
        for folder in [folder, String(cString: g_get_tmp_dir())].compactMap({ $0 }) {
            var path = Array("\(folder)/touchtone-XXXXXX".utf8CString)
            let number = mkstemp(&path)
            guard number >= 0 else { continue }
            unlink(path)
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            return FileDescriptor(taking: number, size: size)
        }
        throw .unwritable
    }

    static func write(_ bytes: [UInt8], to number: Int32) throws(FileTransferError) {
        var count = 0
        while count < bytes.count {
            let written = bytes.withUnsafeBytes {
                Glibc.write(number, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            guard written > 0 || written < 0 && errno == EINTR else { throw .unwritable }
            count += max(0, written)
        }
    }
}
