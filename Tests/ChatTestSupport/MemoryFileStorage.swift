// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// Files in memory.
@MainActor
public final class MemoryFileStorage: FileStorage {
    /// The ordinary files, by path.
    public var files: [String: LocalFile] = [:]
    /// The paths that are not ordinary files.
    public var problems: [String: FileProblem] = [:]
    /// The folder of all downloads.
    public var folder = "/cache"
    /// The paths of the downloaded files, by address.
    public var cache: [String: String] = [:]
    /// The pictures that were saved, by path.
    public private(set) var pictures: [String: [UInt8]] = [:]
    /// The files that were copied, as “PATH to URI”.
    public private(set) var copies: [String] = []

    /// Creates an empty storage.
    public init() {}

    /// Adds an ordinary file.
    public func add(_ path: String, size: Int64 = 1000, mediaType: String = "", isProgram: Bool = false) {
        files[path] = LocalFile(path: path, size: size, mediaType: mediaType, isProgram: isProgram)
    }

    /// Returns the file that the test added.
    public func inspect(_ path: String) async throws(FileProblem) -> LocalFile {
        if let problem = problems[path] { throw problem }
        guard let file = files[path] else { throw .missing }
        return file
    }

    /// Saves a picture.
    public func keep(_ picture: [UInt8], name: String) async throws(FileProblem) -> String {
        let path = "/attachments/\(pictures.count)-\(name)"
        pictures[path] = picture
        add(path, size: Int64(picture.count), mediaType: "image/png")
        return path
    }

    /// Removes a saved picture.
    public func discard(_ path: String) { if pictures.removeValue(forKey: path) != nil { files[path] = nil } }

    /// Returns the file in the cache.
    public func cached(_ url: String) async -> String? { cache[url] }

    /// Removes the file from the cache.
    public func uncache(_ url: String) { cache[url] = nil }

    /// Returns a folder for the address.
    public func cacheFolder(for url: String) async throws(FileProblem) -> String {
        if let problem = problems[url] { throw problem }
        return folder
    }

    /// Does nothing.
    public func trimCache(keeping urls: Set<String>) {}

    /// Records the copy.
    public func copy(_ path: String, to uri: String) async throws(FileProblem) {
        if let problem = problems[uri] { throw problem }
        copies.append("\(path) to \(uri)")
    }
}
