// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// Transfers that the test ends.
@MainActor
public final class FakeFileTransfers: FileTransfers {
    /// The transfers that have begun and not ended, in order.
    public private(set) var running: [FakeTransfer] = []
    /// The URLs of all transfers that have begun, in order.
    public private(set) var begun: [String] = []
    /// The requested downloads, in order.
    public private(set) var downloads: [FileDownload] = []
    /// Whether the metadata of each uploaded file was to be removed, in order.
    public private(set) var removals: [Bool] = []
    /// Called when a transfer begins.
    public var onBegin: (@MainActor (FakeTransfer) -> Void)?
    /// The number of bytes that a picture has without its metadata, less than with it.
    public var metadataSize: Int64 = 0
    /// The size of the files on the disk.
    public var sizes: [String: Int64] = [:]
    /// The sizes that servers state, by URL.
    public var statedSizes: [String: Int64] = [:]
    /// The URLs whose servers were asked for the size, in order.
    public private(set) var sizeQuestions: [String] = []
    /// The number of ended transfers whose callers have not gone on yet: a resumed task goes through the thread pool.
    private var unanswered = 0

    /// The number of keys for encrypted copies.
    public private(set) var keys = 0

    /// Creates transfers.
    public init() {}

    func nextKey() -> Int {
        keys += 1
        return keys
    }

    /// Whether the caller of an ended transfer has not gone on yet.
    public var isBusy: Bool { unanswered > 0 }

    /// Opens a file of the size that the test set.
    public func open(_ path: String, mediaType: String, removesMetadata: Bool) async throws(FileTransferError)
        -> any OutgoingFile
    {
        removals.append(removesMetadata)
        return FakeOutgoingFile(
            size: (sizes[path] ?? 1000) - (removesMetadata ? metadataSize : 0), of: self)
    }

    /// Begins a download.
    public func download(
        _ download: FileDownload, progress: @escaping @MainActor (_ received: Int64, _ size: Int64?) -> Void
    ) async throws(FileTransferError) -> DownloadedFile {
        downloads.append(download)
        try await run(download.url) { progress($0, $1) }
        return DownloadedFile(
            path: "\(download.folder)/\(download.name)", mediaType: "image/png", size: 1000)
    }

    /// Returns the size that the test set.
    public func size(of download: FileDownload) async throws(FileTransferError) -> Int64? {
        sizeQuestions.append(download.url)
        return statedSizes[download.url]
    }

    /// Creates a file in memory.
    public func create(in folder: String, name: String) async throws(FileTransferError) -> any IncomingFile {
        FakeIncomingFile(DownloadedFile(path: "\(folder)/\(name)", mediaType: "", size: 1000))
    }

    func run(
        _ url: String, _ progress: @escaping @MainActor (Int64, Int64?) -> Void
    ) async throws(FileTransferError) {
        let transfer = FakeTransfer(url, progress) { [weak self] in self?.unanswered += 1 }
        begun.append(url)
        running.append(transfer)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfer.continuation = continuation
                onBegin?(transfer)
                if Task.isCancelled { transfer.end(.cancelled) }
            }
        } onCancel: {
            Task { @MainActor in transfer.end(.cancelled) }
        }
        unanswered -= 1
        running.removeAll { $0 === transfer }
        if let result { throw result }
    }
}

/// A transfer in progress.
@MainActor
public final class FakeTransfer {
    /// The URL.
    public let url: String
    private let progress: @MainActor (Int64, Int64?) -> Void
    private let ended: @MainActor () -> Void
    fileprivate var continuation: CheckedContinuation<FileTransferError?, Never>?

    fileprivate init(
        _ url: String, _ progress: @escaping @MainActor (Int64, Int64?) -> Void,
        ended: @escaping @MainActor () -> Void
    ) {
        (self.url, self.progress, self.ended) = (url, progress, ended)
    }

    /// Reports the number of transferred bytes.
    public func advance(to done: Int64, of size: Int64? = nil) { progress(done, size) }

    /// Ends the transfer, with an error or successfully; the second call does nothing.
    public func end(_ error: FileTransferError? = nil) {
        guard let continuation else { return }
        self.continuation = nil
        ended()
        continuation.resume(returning: error)
    }
}

@MainActor
private final class FakeOutgoingFile: OutgoingFile {
    let size: Int64
    private let transfers: FakeFileTransfers

    init(size: Int64, of transfers: FakeFileTransfers) { (self.size, self.transfers) = (size, transfers) }

    func upload(to slot: FileSlot, progress: @escaping @MainActor (Int64) -> Void)
        async throws(FileTransferError)
    {
        try await transfers.run(slot.put) { done, _ in progress(done) }
    }

    func encrypted() async throws(FileTransferError) -> EncryptedCopy {
        let number = transfers.nextKey()
        return EncryptedCopy(FakeOutgoingFile(size: size + EncryptedCopy.excess, of: transfers)) { address in
            guard address.hasPrefix("https://") else { return nil }
            let key = String(repeating: "0", count: 87) + "\(number)"
            return "aesgcm://\(address.dropFirst(8))#\(key)"
        }
    }

    func hash() async throws(FileTransferError) -> FileHash {
        guard let hash = FileHash(.sha256, bytes: [UInt8](repeating: 7, count: 32)) else { throw .unreadable }
        return hash
    }

    func read(at offset: Int64, count: Int) async throws(FileTransferError) -> [UInt8] {
        [UInt8](repeating: 0, count: count)
    }
}

@MainActor
private final class FakeIncomingFile: IncomingFile {
    private let file: DownloadedFile

    init(_ file: DownloadedFile) { self.file = file }

    func append(_ bytes: [UInt8]) async throws(FileTransferError) {}

    func finish() async throws(FileTransferError) -> DownloadedFile { file }
}
