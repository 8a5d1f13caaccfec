// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge
internal import TouchtoneCore
internal import TouchtoneOMEMO

/// A download, or the question for a file’s size, on a thread of its own.
struct Download {
    private let download: FileDownload
    private let request: WebRequest
    private let route: WebRoute
    /// The link to an encrypted file; nil for any other file.
    private let link: EncryptedFileLink?

    init(_ download: FileDownload, _ request: WebRequest) {
        (self.download, self.request) = (download, request)
        link = EncryptedFileLink(download.url)
        route = WebRoute(
            request: request,
            trustedHosts: Set(download.trustedHosts.compactMap { WebAddress.normalized($0) }))
    }

    func run() throws(FileTransferError) -> DownloadedFile {
        let address = try firstAddress()
        let file = try PartialFile(in: download.folder, name: download.name)
        // Nothing is read beyond what the sender has stated.
        let stated = download.size.flatMap { $0 < download.limit ? $0 : nil }
        let content = try IncomingContent(of: file, link?.key)
        do throws(FileTransferError) {
            try route.follow(address) { next throws(FileTransferError) in
                try request.get(
                    next.text, isTrusted: route.isTrusted(next),
                    limit: (stated ?? download.limit) + Self.excess(of: download)
                ) { bytes throws(FileTransferError) in try content.write(bytes) }
            }
        } catch {
            if case .tooLarge = error { throw stated == nil ? .tooLarge(limit: download.limit) : .damaged }
            throw error
        }
        try content.finish()
        try check(file)
        // The server does not know what an encrypted file is.
        let type = link == nil ? request.mediaType.flatMap { MediaType.checked($0) } : nil
        return DownloadedFile(path: try file.finish(), mediaType: type ?? "", size: count)
    }

    /// Returns the size of the file that its server states; nil if it states none.
    func size() throws(FileTransferError) -> Int64? {
        try route.follow(firstAddress()) { next throws(FileTransferError) in
            try request.head(next.text, isTrusted: route.isTrusted(next))
        }
        return request.size.map { max(0, $0 - Self.excess(of: download)) }
    }

    /// Returns how many bytes more the server has, because the file is encrypted.
    static func excess(of download: FileDownload) -> Int64 {
        EncryptedFileLink(download.url) == nil ? 0 : Int64(FileCipher.tagLength)
    }

    /// The number of bytes of the file.
    private var count: Int64 { request.count - Self.excess(of: download) }

    /// Throws `.damaged` unless the file is what its sender has stated.
    private func check(_ file: PartialFile) throws(FileTransferError) {
        if let size = download.size, size != count { throw .damaged }
        guard let hash = download.hash else { return }
        let found = try ContentHash.compute(hash.function, of: file.number, size: count)
        if found != hash { throw .damaged }
    }

    private func firstAddress() throws(FileTransferError) -> WebAddress {
        try route.first(link?.address ?? download.url)
    }
}
