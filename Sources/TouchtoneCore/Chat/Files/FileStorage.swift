// SPDX-License-Identifier: GPL-3.0-or-later

/// The files that messages send and receive; no function blocks the main thread.
@MainActor
public protocol FileStorage: AnyObject {
    /// Examines what is at an absolute path, or throws if it is not an ordinary file that can be read.
    func inspect(_ path: String) async throws(FileProblem) -> LocalFile
    /// Saves a file that is to be sent, readable only by the user, and returns its path.
    func keep(_ content: [UInt8], name: String) async throws(FileProblem) -> String
    /// Removes a file that `keep` saved; other files are not touched.
    func discard(_ path: String)
    /// Removes the downloaded file of an address from the cache.
    func uncache(_ url: String)
    /// Returns the absolute path of the downloaded file of an address; nil if it is not in the cache.
    func cached(_ url: String) async -> String?
    /// Returns the cache’s folder for the file of an address, and creates it.
    func cacheFolder(for url: String) async throws(FileProblem) -> String
    /// Removes the oldest files from the cache while it is too large, but not those of `urls`.
    func trimCache(keeping urls: Set<String>)
    /// Copies a file to a URI that the user chose, in place of an existing file.
    func copy(_ path: String, to uri: String) async throws(FileProblem)
}

/// An ordinary file on the disk.
public struct LocalFile: Hashable, Sendable {
    public var path: String
    public var size: Int64
    /// The media type, by the name and the content.
    public var mediaType: String
    /// Whether opening the file would run it, or something that it names.
    public var isProgram: Bool

    public init(path: String, size: Int64, mediaType: String, isProgram: Bool = false) {
        (self.path, self.size) = (path, size)
        (self.mediaType, self.isProgram) = (mediaType, isProgram)
    }

    public var name: String { Self.name(of: path) }

    public static func name(of path: String) -> String {
        path.split(separator: "/").last.map { String($0) } ?? path
    }
}

public enum FileProblem: Error, Hashable, Sendable {
    case missing
    case folder
    /// The path names a device, a pipe or a socket.
    case special
    case empty
    case unreadable
    /// The file cannot be written; with the system’s description.
    case unwritable(String)
}
