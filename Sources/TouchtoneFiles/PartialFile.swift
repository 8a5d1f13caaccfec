// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio
internal import GLibBridge
internal import Glibc
internal import TouchtoneCore

/// A file being received under a hidden name, removed unless it is finished; all functions may block.
final class PartialFile: Sendable {
    /// The greatest number of files with the same name in a folder.
    private static let maximumNumber = 9999

    let number: Int32
    private let part: String
    private let folder: String
    private let name: SafeFileName

    /// Creates the file in `folder`, an absolute path that is made if missing; `name` may have any content.
    init(in folder: String, name: String) throws(FileTransferError) {
        g_mkdir_with_parents(folder, 0o700)
        var random = SystemRandomNumberGenerator()
        part = "\(folder)/.touchtone-\(String(random.next() as UInt64, radix: 36)).part"
        (self.folder, self.name) = (folder, SafeFileName(name))
        number = open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw .unwritable }
    }

    deinit {
        guard number >= 0 else { return }
        close(number)
        // After success, nothing has this name any more.
        unlink(part)
    }

    func write(_ bytes: [UInt8]) throws(FileTransferError) {
        try FileDescriptor.write(bytes, to: number)
    }

    /// Saves the file under the first free name, and returns its path.
    func finish() throws(FileTransferError) -> String {
        guard fsync(number) == 0 else { throw .unwritable }
        let path = try claimedPath()
        guard rename(part, path) == 0 else {
            unlink(path)
            throw .unwritable
        }
        return path
    }

    /// Creates an empty file under the first free name, and returns its path.
    ///
    /// The name cannot be taken any more until the file is replaced, which works on every file system.
    private func claimedPath() throws(FileTransferError) -> String {
        for number in 1...Self.maximumNumber {
            let path = "\(folder)/\(name.numbered(number))"
            let claim = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard claim < 0 else {
                close(claim)
                return path
            }
            guard errno == EEXIST else { throw .unwritable }
        }
        throw .unwritable
    }
}

/// A file that another device sends in blocks.
@MainActor
final class ReceivedFile: IncomingFile {
    private let part: PartialFile
    private let thread = BackgroundThread("receive")
    private var size: Int64 = 0

    init(_ part: PartialFile) { self.part = part }

    func append(_ bytes: [UInt8]) async throws(FileTransferError) {
        let part = part
        try await thread.run { Result { () throws(FileTransferError) in try part.write(bytes) } }.get()
        size += Int64(bytes.count)
    }

    func finish() async throws(FileTransferError) -> DownloadedFile {
        let part = part
        let path = try await thread.run {
            Result { () throws(FileTransferError) in try part.finish() }
        }.get()
        return DownloadedFile(path: path, mediaType: "", size: size)
    }
}
