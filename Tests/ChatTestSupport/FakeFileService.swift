// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// An upload service whose answers are set by the test.
@MainActor
public final class FakeFileService: FileService, DirectFileService {
    /// The greatest size of a file; nil for no limit.
    public var limit: Int64?
    /// The error that requests fail with, or nil if they succeed.
    public var error: ChatServiceError?
    /// The hosts of the account.
    public var trustedHosts: Set<String> = ["example.org"]
    /// The names and sizes of the files for which places were requested.
    public private(set) var requests: [String] = []

    /// The buddies with a device that takes files directly.
    public var takers: Set<ChatAddress> = []
    /// The addresses of the offers, which tests add.
    public var offers: Set<String> = []
    /// The addresses of the offers that were declined or cancelled, in order.
    public private(set) var declined: [String] = []
    /// The transfers of the accepted offers.
    public let transfers = FakeFileTransfers()

    /// Creates a service without a limit.
    public init() {}

    /// Returns the limit.
    public func uploadLimit() async throws(ChatServiceError) -> Int64? {
        if let error { throw error }
        return limit
    }

    /// Assigns a place with a number.
    public func slot(forFile name: String, size: Int64, mediaType: String)
        async throws(ChatServiceError) -> FileSlot
    {
        if let error { throw error }
        requests.append("\(name) \(size) \(mediaType)")
        let url = "https://files.example.org/\(requests.count)/\(name)"
        return FileSlot(put: url, get: url)
    }

    /// Returns whether the test says so.
    public func canOffer(to buddy: ChatAddress) async -> Bool { takers.contains(buddy) }

    /// Whether devices confirm that they have a file.
    public var confirms = true

    /// Begins a transfer, whose URL has the name and the size.
    public func offer(
        _ file: any OutgoingFile, named name: String, mediaType: String, to buddy: ChatAddress,
        progress: @escaping @MainActor (Int64) -> Void
    ) async throws(FileTransferError) -> Bool {
        try await transfers.run("\(name) \(file.size) \(mediaType)") { done, _ in progress(done) }
        return confirms
    }

    /// Returns whether the test has added the offer.
    public func isOffered(_ offer: String) -> Bool { offers.contains(offer) }

    /// Begins a transfer.
    public func receive(
        _ offer: String, into file: any IncomingFile, progress: @escaping @MainActor (Int64) -> Void
    ) async throws(FileTransferError) -> DownloadedFile {
        guard offers.remove(offer) != nil else { throw .offerEnded }
        try await transfers.run(offer) { done, _ in progress(done) }
        return try await file.finish()
    }

    /// Records the refusal.
    public func decline(_ offer: String) {
        declined.append(offer)
        offers.remove(offer)
    }
}
