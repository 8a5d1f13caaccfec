// SPDX-License-Identifier: GPL-3.0-or-later

/// The part of an account that assigns places to files (XEP-0363).
@MainActor
public protocol FileService: AnyObject {
    /// The greatest size that the server accepts, in bytes; nil if it states none.
    ///
    /// - Throws: `.unsupported` if the server takes no files.
    func uploadLimit() async throws(ChatServiceError) -> Int64?
    /// Requests a place for a file.
    ///
    /// - Parameters:
    ///   - name: The name of the file, without folders.
    ///   - size: The size of the file, in bytes.
    ///   - mediaType: The media type, such as `image/png`.
    func slot(forFile name: String, size: Int64, mediaType: String) async throws(ChatServiceError) -> FileSlot
    /// The hosts of the account’s own server and its upload service, which pictures may be loaded from even if they
    /// are on the local network.
    var trustedHosts: Set<String> { get }
}
