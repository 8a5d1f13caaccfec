// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio
internal import GLibBridge
internal import Glibc
public import TouchtoneCore

/// The files that messages send and receive: pasted pictures in the data folder, downloaded files in the cache.
@MainActor
public final class UserFiles: FileStorage {
    /// The size above which the oldest files of the cache are removed, in bytes.
    public static let cacheSize: Int64 = 200 << 20

    private let cache: FileCache
    private let attachments: String
    /// The thread for all work: a disk can take as long as it wants.
    private let thread = BackgroundThread("files")

    /// Creates the storage in the user’s folders, without access to the disk.
    public convenience init() { self.init(UserFolders.standard) }

    init(_ folders: UserFolders, cacheSize: Int64 = UserFiles.cacheSize) {
        cache = FileCache(folder: folders.cache + "/files", size: cacheSize)
        attachments = folders.data + "/attachments"
    }

    /// Examines a file, which may be of any kind: a pipe or a device is not opened.
    public func inspect(_ path: String) async throws(FileProblem) -> LocalFile {
        try await thread.run { FileInspection.result(path) }.get()
    }

    /// Saves a picture in `attachments`, under a new name.
    public func keep(_ picture: [UInt8], name: String) async throws(FileProblem) -> String {
        let folder = attachments
        return try await thread.run {
            FileProblem.result { () throws(SystemCallError) in
                try PrivateFile.add(picture, to: folder, named: name)
            }
        }.get()
    }

    public func discard(_ path: String) {
        let start = attachments + "/"
        guard path.hasPrefix(start), !path.dropFirst(start.count).contains("/") else { return }
        thread.add { unlink(path) }
    }

    public func cached(_ url: String) async -> String? {
        let cache = cache
        return await thread.run { cache.file(of: url) }
    }

    public func uncache(_ url: String) {
        let cache = cache
        thread.add { cache.remove(url) }
    }

    public func cacheFolder(for url: String) async throws(FileProblem) -> String {
        let cache = cache
        return try await thread.run {
            FileProblem.result { () throws(SystemCallError) in try cache.makeFolder(for: url) }
        }.get()
    }

    public func trimCache(keeping urls: Set<String>) {
        let cache = cache
        thread.add { cache.trim(keeping: urls) }
    }

    /// Copies a file with GIO, which can also write to other computers.
    public func copy(_ path: String, to uri: String) async throws(FileProblem) {
        try await thread.run { () -> Result<Void, FileProblem> in
            let (from, to) = (g_file_new_for_path(path), g_file_new_for_uri(uri))
            defer {
                g_object_unref(UnsafeMutableRawPointer(from))
                g_object_unref(UnsafeMutableRawPointer(to))
            }
            var error: UnsafeMutablePointer<GError>?
            let flags = GFileCopyFlags(
                rawValue: G_FILE_COPY_OVERWRITE.rawValue | G_FILE_COPY_TARGET_DEFAULT_PERMS.rawValue)
            if g_file_copy(from, to, flags, nil, nil, nil, &error) != 0 { return .success(()) }
            defer { g_clear_error(&error) }
            return .failure(.unwritable(error.map { String(cString: $0.pointee.message) } ?? ""))
        }.get()
    }
}

extension FileProblem {
    fileprivate static func result(
        _ body: () throws(SystemCallError) -> String
    ) -> Result<String, FileProblem> {
        Result(catching: body).mapError { .unwritable($0.reason) }
    }
}

extension PrivateFile {
    /// Writes a new file that only the user can read, with a number before its name; returns its path.
    static func add(_ bytes: [UInt8], to folder: String, named name: String) throws(SystemCallError) -> String
    {
        try PrivateFile(folder: folder, name: name).makeFolder()
        for number in 1...maximumNumber {
            let path = "\(folder)/\(number)-\(name)"
            do throws(SystemCallError) {
                try create(path, bytes)
                return path
            } catch {
                guard error.number == EEXIST else { throw error }
            }
        }
        throw SystemCallError(number: EEXIST)
    }

    private static let maximumNumber = 10_000
}
