// SPDX-License-Identifier: GPL-3.0-or-later

/// The files on the disk that messages send and receive.
///
/// No function blocks the main thread.
@MainActor
public protocol FileStorage: AnyObject {
    /// Examines a file, which may be of any kind.
    ///
    /// - Parameter path: The absolute path.
    /// - Throws: A problem if the path does not name an ordinary file that can be read.
    func inspect(_ path: String) async throws(FileProblem) -> LocalFile
    /// Saves a file that is to be sent and is not on the disk, readable only by the user.
    ///
    /// - Returns: The absolute path of the file.
    func keep(_ content: [UInt8], name: String) async throws(FileProblem) -> String
    /// Removes a file that `keep` saved; other files are not touched.
    func discard(_ path: String)
    /// Returns the absolute path of the downloaded file of an address; nil if it is not in the cache.
    func cached(_ url: String) async -> String?
    /// Returns the cache’s folder for the file of an address, and creates it.
    func cacheFolder(for url: String) async throws(FileProblem) -> String
    /// Removes the oldest files from the cache while it is too large.
    ///
    /// - Parameter urls: The addresses of files to keep.
    func trimCache(keeping urls: Set<String>)
    /// Copies a file to a URI that the user chose, in place of an existing file.
    func copy(_ path: String, to uri: String) async throws(FileProblem)
}

/// An ordinary file on the disk.
public struct LocalFile: Hashable, Sendable {
    /// The absolute path.
    public var path: String
    /// The size in bytes.
    public var size: Int64
    /// The media type, by the name and the content.
    public var mediaType: String
    /// Whether opening the file would run it, or something that it names.
    public var isProgram: Bool

    /// Creates a file with the given values.
    public init(path: String, size: Int64, mediaType: String, isProgram: Bool = false) {
        (self.path, self.size) = (path, size)
        (self.mediaType, self.isProgram) = (mediaType, isProgram)
    }

    /// The name without folders.
    public var name: String { Self.name(of: path) }

    /// Returns the name in a path, without folders.
    public static func name(of path: String) -> String {
        path.split(separator: "/").last.map { String($0) } ?? path
    }
}

/// The reason why a file cannot be sent or saved.
public enum FileProblem: Error, Hashable, Sendable {
    /// The file does not exist.
    case missing
    /// The path names a folder.
    case folder
    /// The path names a device, a pipe or a socket.
    case special
    /// The file has no content.
    case empty
    /// The user may not read the file.
    case unreadable
    /// The file cannot be written; with the system’s description.
    case unwritable(String)
}
