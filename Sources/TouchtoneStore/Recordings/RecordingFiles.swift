// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge
internal import Glibc
public import TouchtoneCore

/// The files of recordings, as the store uses them on its thread.
struct RecordingFiles: Sendable {
    let folder: String

    init(folders: UserFolders) { folder = "\(folders.data)/recordings" }

    func path(of file: String) -> String { "\(folder)/\(file)" }

    /// Returns the length of a recording, as far as it was written; nil if there is none.
    func length(of file: String) -> Duration? {
        guard Self.isName(file) else { return nil }
        let descriptor = open(path(of: file), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return OpusLength.read(from: descriptor)
    }

    func size(of file: String) -> Int64 {
        var status = stat()
        return Self.isName(file) && lstat(path(of: file), &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Removes a file for good; returns whether it is gone.
    func remove(_ file: String) -> Bool {
        // A row of a damaged store may name anything.
        guard Self.isName(file) else { return true }
        return unlink(path(of: file)) == 0 || errno == ENOENT || errno == ENOTDIR
    }

    private static func isName(_ file: String) -> Bool {
        !file.isEmpty && file.first != "." && !file.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }
}

/// The folder of recordings in the user's data folder.
@MainActor
public final class UserRecordings: RecordingFolder {
    private static let thread = BackgroundThread("touchtone-rec")

    private let files: RecordingFiles
    private let minimumFree: Int64

    /// - Parameter minimumFree: The number of bytes below which the disk counts as full.
    public init(folders: UserFolders = .standard, minimumFree: Int64 = AnsweringMachine.minimumFree) {
        (files, self.minimumFree) = (RecordingFiles(folders: folders), minimumFree)
    }

    public func path(of name: String) -> String { files.path(of: name) }

    public func create(_ name: String) throws(RecordingFailure) -> OpenFile {
        do {
            try PrivateFile(folder: files.folder, name: name).makeFolder()
            guard try free() >= minimumFree else { throw RecordingFailure.diskFull }
            let descriptor = try SystemCallError.check {
                open(path(of: name), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            }
            let file = OpenFile(descriptor) { Glibc.close($0) }
            try SystemCallError.check { fchmod(descriptor, 0o600) }
            return file
        } catch let error as SystemCallError {
            throw error.number == ENOSPC || error.number == EDQUOT ? .diskFull : .failed(error.reason)
        } catch let error as RecordingFailure {
            throw error
        } catch {
            throw .failed("")
        }
    }

    public func write(_ bytes: [UInt8], to name: String) async throws(RecordingFailure) {
        let (folder, path) = (files.folder, path(of: name))
        let failure: RecordingFailure? = await Self.thread.run {
            do throws(SystemCallError) {
                let file = PrivateFile(folder: folder, name: name)
                try file.makeFolder()
                unlink(path + ".new")
                try PrivateFile.create(path + ".new", bytes)
                try SystemCallError.check { rename(path + ".new", path) }
                try file.syncFolder()
                return nil
            } catch {
                return error.number == ENOSPC ? .diskFull : .failed(error.reason)
            }
        }
        if let failure { throw failure }
    }

    public func remove(_ name: String) { _ = files.remove(name) }

    private func free() throws(SystemCallError) -> Int64 {
        var status = statvfs()
        try SystemCallError.check { statvfs(files.folder, &status) }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
                .partialValue)
    }
}
