// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Transfers that tell what is uploaded.
@MainActor
final class RecordedTransfers: FileTransfers {
    private let transfers: any FileTransfers
    /// Called with the content of each upload that begins.
    var onUpload: (@MainActor ([UInt8]) -> Void)?

    init(_ transfers: any FileTransfers) { self.transfers = transfers }

    func open(_ path: String, mediaType: String, removesMetadata: Bool) async throws(FileTransferError)
        -> any OutgoingFile
    {
        RecordedFile(
            try await transfers.open(path, mediaType: mediaType, removesMetadata: removesMetadata), by: self)
    }

    func download(
        _ download: FileDownload, progress: @escaping @MainActor (_ received: Int64, _ size: Int64?) -> Void
    ) async throws(FileTransferError) -> DownloadedFile {
        try await transfers.download(download, progress: progress)
    }

    func create(in folder: String, name: String) async throws(FileTransferError) -> any IncomingFile {
        try await transfers.create(in: folder, name: name)
    }

    func size(of download: FileDownload) async throws(FileTransferError) -> Int64? {
        try await transfers.size(of: download)
    }
}

@MainActor
private final class RecordedFile: OutgoingFile {
    private let file: any OutgoingFile
    private let transfers: RecordedTransfers

    init(_ file: any OutgoingFile, by transfers: RecordedTransfers) {
        (self.file, self.transfers) = (file, transfers)
    }

    var size: Int64 { file.size }

    func upload(to slot: FileSlot, progress: @escaping @MainActor (Int64) -> Void)
        async throws(FileTransferError)
    {
        let bytes = try await file.read(at: 0, count: Int(size))
        transfers.onUpload?(bytes)
        try await file.upload(to: slot, progress: progress)
    }

    func hash() async throws(FileTransferError) -> FileHash { try await file.hash() }

    func encrypted() async throws(FileTransferError) -> EncryptedCopy {
        let copy = try await file.encrypted()
        return EncryptedCopy(RecordedFile(copy.file, by: transfers), link: copy.link)
    }

    func read(at offset: Int64, count: Int) async throws(FileTransferError) -> [UInt8] {
        try await file.read(at: offset, count: count)
    }
}
