// SPDX-License-Identifier: GPL-3.0-or-later

/// The part of an account that assigns places on its server to files (XEP-0363).
@MainActor
public protocol FileService: AnyObject {
    /// The greatest size that the server accepts, in bytes; nil if it states none.
    ///
    /// - Throws: `.unsupported` if the server takes no files.
    func uploadLimit() async throws(ChatServiceError) -> Int64?
    /// Requests a place for a file of `size` bytes; `name` has no folders.
    func slot(forFile name: String, size: Int64, mediaType: String) async throws(ChatServiceError) -> FileSlot
    /// The hosts of the account’s own server and its upload service, which pictures may be loaded from even if they
    /// are on the local network.
    var trustedHosts: Set<String> { get }
}

/// The part of an account that passes files between devices (XEP-0234).
@MainActor
public protocol DirectFileService: AnyObject {
    /// Returns whether a device of a buddy is online that takes files directly.
    func canOffer(to buddy: ChatAddress) async -> Bool
    /// Offers a file to a device, and sends it once it is accepted; cancelling the task ends the transfer.
    ///
    /// - Parameters:
    ///   - name: Without folders.
    ///   - mediaType: Such as `image/png`; empty if it is not known.
    ///   - progress: Receives the number of bytes that the device has, once it has accepted the file.
    /// - Returns: Whether the device has confirmed that it has the file; otherwise it has only received all of it.
    /// - Throws: `.unreachable` if the account’s connection was lost, `.declined`, `.incomplete`, `.unreadable` or
    ///   `.cancelled`.
    func offer(
        _ file: any OutgoingFile, named name: String, mediaType: String, to buddy: ChatAddress,
        progress: @escaping @MainActor (Int64) -> Void
    ) async throws(FileTransferError) -> Bool
    /// Returns whether a device still offers a file; `offer` is the address in its message.
    func isOffered(_ offer: String) -> Bool
    /// Accepts an offer, and receives a new, empty file; cancelling the task ends the transfer.
    ///
    /// - Parameter progress: Receives the number of bytes written so far.
    /// - Throws: `.offerEnded`, `.incomplete`, `.damaged`, `.unwritable` or `.cancelled`.
    func receive(
        _ offer: String, into file: any IncomingFile, progress: @escaping @MainActor (Int64) -> Void
    ) async throws(FileTransferError) -> DownloadedFile
    func decline(_ offer: String)
}
