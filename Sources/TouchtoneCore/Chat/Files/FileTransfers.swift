// SPDX-License-Identifier: GPL-3.0-or-later

/// A service that transfers files between the disk and web servers, over HTTPS.
///
/// Cancelling the task of a transfer ends it with `FileTransferError.cancelled`.
@MainActor
public protocol FileTransfers: AnyObject {
    /// Opens a file for its upload; the metadata of a picture, such as EXIF, is removed from a copy.
    ///
    /// - Parameters:
    ///   - path: The absolute path of the file.
    ///   - mediaType: Such as `image/png`.
    /// - Throws: `.unreadable`, or `.metadataNotRemoved` if the format of a picture is unknown.
    func open(_ path: String, mediaType: String, removesMetadata: Bool) async throws(FileTransferError)
        -> any OutgoingFile

    /// Downloads a file, and leaves nothing in the folder if it fails.
    ///
    /// A file of another size, or with another hash than the sender has stated, ends with `.damaged`; so does an encrypted
    /// one that its key does not open. Sizes and limits are those of the decrypted file.
    ///
    /// - Parameter progress: Receives the bytes received so far, and the file’s size if the server states it.
    func download(
        _ download: FileDownload, progress: @escaping @MainActor (_ received: Int64, _ size: Int64?) -> Void
    ) async throws(FileTransferError) -> DownloadedFile

    /// Creates a file in a folder, given by its absolute path, or throws `.unwritable`.
    ///
    /// - Parameter name: It is reduced to a safe name, and numbered if it exists.
    func create(in folder: String, name: String) async throws(FileTransferError) -> any IncomingFile

    /// Asks the server of a file for its size in bytes, with HTTP HEAD; nil if it does not state the size.
    ///
    /// The rules on the addresses are those of a download. Nothing is written.
    func size(of download: FileDownload) async throws(FileTransferError) -> Int64?
}

/// A file that is open for its upload, until the object is released.
@MainActor
public protocol OutgoingFile: AnyObject {
    /// The bytes to upload: servers refuse another size, and without metadata, a picture is smaller than on
    /// the disk.
    var size: Int64 { get }

    /// Uploads the file with HTTP PUT, again after a failure; `progress` receives the bytes sent so far.
    func upload(to slot: FileSlot, progress: @escaping @MainActor (Int64) -> Void)
        async throws(FileTransferError)

    /// Computes the SHA-256 of the same bytes, or throws `.unreadable`.
    func hash() async throws(FileTransferError) -> FileHash

    /// Encrypts the same bytes with a key that nothing else has, to a copy without a name, or throws `.unreadable` or
    /// `.unwritable`.
    func encrypted() async throws(FileTransferError) -> EncryptedCopy

    /// Reads a part of the same bytes; throws `.unreadable`, also if the file has become shorter.
    func read(at offset: Int64, count: Int) async throws(FileTransferError) -> [UInt8]
}

/// The encrypted copy of a file (XEP-0454).
public struct EncryptedCopy {
    /// How many bytes more it has than the file.
    public static let excess: Int64 = 16

    public let file: any OutgoingFile
    /// Returns the link with the key for the address of the copy; nil if the address is not one of HTTPS.
    public let link: @MainActor (_ address: String) -> String?

    public init(_ file: any OutgoingFile, link: @escaping @MainActor (_ address: String) -> String?) {
        (self.file, self.link) = (file, link)
    }
}

/// A file that is being received; it is removed with the object, unless it was finished.
@MainActor
public protocol IncomingFile: AnyObject {
    /// Writes a block at the end, or throws `.unwritable`; the next call must wait for the end of this one.
    func append(_ bytes: [UInt8]) async throws(FileTransferError)

    /// Saves the file under its name, or throws `.unwritable`.
    func finish() async throws(FileTransferError) -> DownloadedFile
}

/// The place that a server has assigned to a file (XEP-0363 section 4).
public struct FileSlot: Hashable, Sendable {
    public var put: String
    /// The only headers of that request, besides those that HTTP requires.
    public var headers: [String: String]
    /// The URL from which others download the file.
    public var get: String

    public init(put: String, headers: [String: String] = [:], get: String) {
        (self.put, self.headers, self.get) = (put, headers, get)
    }
}

/// A file to download, and its bounds.
public struct FileDownload: Hashable, Sendable {
    /// The URL, with the scheme `https`; or the link to an encrypted file, with its key.
    public var url: String
    /// The absolute path of the folder for the file.
    public var folder: String
    /// The suggested name of the file; it is reduced to a safe name, and numbered if it exists.
    public var name: String
    /// The greatest size to accept, in bytes.
    public var limit: Int64
    /// The hosts that may have a loopback, private or link-local address: the account’s own server and its components.
    public var trustedHosts: Set<String>
    /// The size in bytes and the hash that the sender of the file stated; nil if it did not.
    public var size: Int64?
    public var hash: FileHash?

    public init(
        url: String, folder: String, name: String, limit: Int64, trustedHosts: Set<String> = [],
        size: Int64? = nil, hash: FileHash? = nil
    ) {
        (self.url, self.folder, self.name) = (url, folder, name)
        (self.limit, self.trustedHosts) = (limit, trustedHosts)
        (self.size, self.hash) = (size, hash)
    }
}

public struct DownloadedFile: Hashable, Sendable {
    /// The absolute path of the file.
    public var path: String
    /// The media type that the server stated; empty if it did not.
    public var mediaType: String
    /// The size of the file, in bytes.
    public var size: Int64

    public init(path: String, mediaType: String, size: Int64) {
        (self.path, self.mediaType, self.size) = (path, mediaType, size)
    }
}

public enum FileTransferError: Error, Hashable, Sendable {
    case cancelled
    /// The address is invalid, or its scheme is not `https`.
    case invalidAddress
    /// The address, or one that it redirects to, belongs to this computer or to the local network.
    case privateAddress
    /// The server redirected to an address without encryption, or too often.
    case unsafeRedirect
    case untrustedCertificate
    /// The server cannot be reached, or the connection broke.
    case unreachable
    /// The server refused the request, with this HTTP status.
    case refused(status: Int)
    /// The file is larger than the limit, in bytes.
    case tooLarge(limit: Int64)
    /// The server sent less than it had stated.
    case incomplete
    /// The server’s response is not valid, or is encoded in a way that was not requested.
    case invalidResponse
    case unreadable
    /// The metadata of a picture cannot be removed, because its format is unknown or invalid.
    case metadataNotRemoved
    case declined
    /// The device that offered the file does not offer it any more.
    case offerEnded
    /// The file is not the one that its sender has described: its size or its hash differs.
    case damaged
    /// The file cannot be written; the disk is full, or the folder is protected.
    case unwritable
}
