// SPDX-License-Identifier: GPL-3.0-or-later

/// The files of received messages, and their downloads.
///
/// Only pictures from buddies of the list are downloaded without a request of the user.
@MainActor
public final class FileDownloads {
    public enum State: Hashable, Sendable {
        /// It has not been looked for on the disk.
        case unknown
        /// It is not on the disk.
        case absent
        /// It waits for its download, or is being downloaded.
        case loading(FileProgress)
        /// It is on the disk, at this absolute path.
        case present(String)
        /// It was not downloaded, for this reason.
        case failed(String)
    }

    /// The greatest size of a picture that is downloaded to be shown, in bytes.
    public static let maximumPictureSize: Int64 = 10 << 20
    /// The greatest size of any other file, in bytes.
    static let maximumSize: Int64 = 4 << 30
    static let maximumAtOnce = 3
    /// The greatest number of files whose state is kept in memory.
    static let maximumKnown = 1000

    private let files: FileDependencies
    private weak var chat: Chat?
    private let observers = Observers<SharedFile>()
    private var states: [String: State] = [:]
    /// The sizes of the files, as the disk or the server states them, in bytes.
    private var sizes: [String: Int64] = [:]
    /// The files whose servers are to be asked for the size; the first one is being asked.
    private var unsized: [FileDownload] = []
    /// The files that are being looked for on the disk.
    private var sought: Set<String> = []
    /// The files whose server could not be reached.
    private var unreached: [String: SharedFile] = [:]
    private var queue: [Download] = []
    private var running: [String: Task<Void, Never>] = [:]
    /// The tasks that wait for the end of a download.
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private struct Download {
        let key: String
        let file: SharedFile
        let url: String
        let limit: Int64
        let buddy: ChatAddress
        let trustedHosts: Set<String>
    }

    init(_ files: FileDependencies, of chat: Chat) { (self.files, self.chat) = (files, chat) }

    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (SharedFile) -> Void) {
        observers.add(owner, body)
    }

    public func state(of file: SharedFile) -> State { states[key(file)] ?? .unknown }

    /// Returns the size in bytes; nil before a download or the server has told it, because the address does
    /// not (XEP-0066).
    public func size(of file: SharedFile) -> Int64? { file.size ?? sizes[key(file)] }

    /// Looks for the file of a message that is shown, and downloads the picture of a buddy.
    public func look(at message: ChatMessage) {
        guard let file = message.file, state(of: file) == .unknown, sought.insert(key(file)).inserted
        else { return }
        if states.count >= Self.maximumKnown { forget() }
        Task { [weak self, storage = files.storage] in
            let found = await Self.find(file, in: storage)
            guard let self else { return }
            sought.remove(key(file))
            guard state(of: file) == .unknown else { return }
            if let found {
                note(found)
                set(.present(found.path), of: file)
            } else if file.isOffer {
                set(isOffered(file, of: message) ? .absent : .failed(ended(file)), of: file)
            } else if file.isPicture, isFromBuddy(message), file.size ?? 0 <= Self.maximumPictureSize {
                fetch(message, limit: Self.maximumPictureSize)
            } else {
                set(.absent, of: file)
                askSize(of: message)
            }
        }
    }

    /// Looks again for the files whose server could not be reached, because there is a connection again.
    func ready() {
        let files = unreached.values
        unreached = [:]
        for file in files {
            guard case .failed = state(of: file) else { continue }
            states[key(file)] = nil
            observers.notify(file)
        }
    }

    /// Returns whether the thumbnail of a message’s picture may be shown: anybody else’s picture is shown on request.
    public func showsThumbnail(of message: ChatMessage) -> Bool {
        message.sender == .me || isFromBuddy(message)
    }

    public func show(_ message: ChatMessage) { fetch(message, limit: Self.maximumPictureSize) }

    private func fetch(_ message: ChatMessage, limit: Int64) {
        guard let file = message.file, let url = file.url else { return }
        switch state(of: file) {
        case .loading, .present: return
        case .unknown, .absent, .failed: break
        }
        set(.loading(FileProgress(size: size(of: file))), of: file)
        queue.append(
            Download(
                key: key(file), file: file, url: url, limit: limit, buddy: message.buddy,
                trustedHosts: trustedHosts(for: message)))
        work()
    }

    /// Downloads the file of a message unless it is on the disk, and returns its path; nil if that fails.
    public func path(of message: ChatMessage) async -> String? {
        guard let file = message.file else { return nil }
        if let found = await Self.find(file, in: files.storage) {
            note(found)
            set(.present(found.path), of: file)
            return found.path
        }
        // A file that was removed from the cache is downloaded again.
        if case .present = state(of: file) { set(.absent, of: file) }
        fetch(message, limit: Self.maximumSize)
        while case .loading = state(of: file) { await withCheckedContinuation { waiting.append($0) } }
        if case .present(let path) = state(of: file) { return path }
        return nil
    }

    /// Cancels the download of a message’s file, or declines an offer.
    public func cancel(_ message: ChatMessage) {
        guard let file = message.file else { return }
        switch state(of: file) {
        case .loading: break
        case .absent: guard file.isOffer else { return }
        case .unknown, .present, .failed: return
        }
        queue.removeAll { $0.key == key(file) }
        running.removeValue(forKey: key(file))?.cancel()
        if file.isOffer, let url = file.url { chat?.service(of: message.buddy)?.directFiles?.decline(url) }
        set(file.isOffer ? .failed(TransferText.declined) : .absent, of: file)
        work()
    }

    /// Removes the file of a deleted message from the disk, as far as the phone has put it there.
    func delete(_ file: SharedFile) {
        queue.removeAll { $0.key == key(file) }
        running.removeValue(forKey: key(file))?.cancel()
        if let path = file.path { files.storage.discard(path) }
        if let url = file.url { files.storage.uncache(url) }
        set(.unknown, of: file)
        states[key(file)] = nil
        work()
    }

    /// Records that a device does not offer a file any more, which nobody has accepted.
    func offerEnded(_ offer: String) {
        let file = SharedFile(url: offer, name: offer)
        switch state(of: file) {
        case .unknown, .absent: set(.failed(ended(file)), of: file)
        case .loading, .present, .failed: break
        }
    }

    public func inspect(_ path: String) async throws(FileProblem) -> LocalFile {
        try await files.storage.inspect(path)
    }

    /// Copies a file to a place of the user’s choice; returns why not, unless the card says so.
    public func save(_ message: ChatMessage, to uri: String) async -> String? {
        guard let file = message.file, let path = await path(of: message) else { return nil }
        do throws(FileProblem) {
            try await files.storage.copy(path, to: uri)
            return nil
        } catch {
            return error.text(of: file.name)
        }
    }
}

extension FileDownloads {
    private func key(_ file: SharedFile) -> String { Self.key(file) }
    private static func key(_ file: SharedFile) -> String { file.path ?? file.url ?? "" }

    /// A file on the disk, and its size if it can be read.
    private struct Found: Sendable {
        let key: String
        let path: String
        let size: Int64?
    }

    private static func find(_ file: SharedFile, in storage: any FileStorage) async -> Found? {
        let key = key(file)
        if let path = file.path, let found = try? await storage.inspect(path) {
            return Found(key: key, path: path, size: found.size)
        }
        guard let url = file.url, let path = await storage.cached(url) else { return nil }
        return Found(key: key, path: path, size: (try? await storage.inspect(path))?.size)
    }

    private func note(_ found: Found) { if let size = found.size { sizes[found.key] = size } }

    private func isFromBuddy(_ message: ChatMessage) -> Bool {
        guard message.sender == .buddy, let chat, chat.has(message.conversation),
            let row = chat.buddies.row(of: message.buddy)
        else { return false }
        return row.isListed && row.room == nil && !row.isBlocked
    }

    private func trustedHosts(for message: ChatMessage) -> Set<String> {
        chat?.service(of: message.buddy)?.files?.trustedHosts ?? []
    }

    private func isOffered(_ file: SharedFile, of message: ChatMessage) -> Bool {
        file.url.map { chat?.service(of: message.buddy)?.directFiles?.isOffered($0) == true } == true
    }

    private func ended(_ file: SharedFile) -> String {
        file.path == nil ? TransferText.accepting(.offerEnded) : TransferText.vanished
    }

    /// Asks the server of a file for its size, one server at a time.
    ///
    /// A server is only asked if it already knows the user: it is the account’s own, or a buddy of the list sent the
    /// file. Anybody else could use the request to learn the user’s address and when the message was read.
    private func askSize(of message: ChatMessage) {
        guard let file = message.file, let url = file.url, size(of: file) == nil else { return }
        let hosts = trustedHosts(for: message)
        guard hosts.contains(file.host) || isFromBuddy(message) else { return }
        unsized.append(
            FileDownload(url: url, folder: "", name: file.name, limit: Self.maximumSize, trustedHosts: hosts))
        guard unsized.count == 1 else { return }
        Task { [weak self, transfers = files.transfers] in
            while let next = self?.unsized.first {
                let size = try? await transfers.size(of: next)
                self?.unsized.removeFirst()
                guard let size else { continue }
                self?.sizes[next.url] = size
                self?.observers.notify(SharedFile(url: next.url, name: next.name))
            }
        }
    }

    private func set(_ state: State, of file: SharedFile) {
        guard states[key(file)] != state else { return }
        states[key(file)] = state
        observers.notify(file)
        if case .loading = state { return }
        let ended = waiting
        waiting = []
        for task in ended { task.resume() }
    }

    private func forget() {
        states = states.filter { if case .loading = $0.value { true } else { false } }
        (unreached, sizes) = ([:], [:])
    }

    private func work() {
        while running.count < Self.maximumAtOnce, !queue.isEmpty {
            let download = queue.removeFirst()
            running[download.key] = Task { [weak self] in await self?.run(download) }
        }
    }

    private func run(_ download: Download) async {
        let state: State
        do throws(FileProblem) {
            let folder = try await files.storage.cacheFolder(for: download.url)
            state = await get(download, into: folder)
        } catch {
            state = .failed(error.text(of: download.file.name))
        }
        // A cancelled download may have been started again meanwhile.
        guard !Task.isCancelled else { return }
        running[download.key] = nil
        set(state, of: download.file)
        files.storage.trimCache(keeping: Set(running.keys).union([download.key]))
        work()
    }

    private func get(_ download: Download, into folder: String) async -> State {
        do throws(FileTransferError) {
            let file =
                download.file.isOffer
                ? try await accept(download, into: folder) : try await fetch(download, into: folder)
            sizes[download.key] = file.size
            return .present(file.path)
        } catch {
            if download.file.isOffer { return .failed(TransferText.accepting(error)) }
            if error == .unreachable { unreached[download.key] = download.file }
            return .failed(TransferText.receiving(error))
        }
    }

    private func fetch(_ download: Download, into folder: String) async throws(FileTransferError)
        -> DownloadedFile
    {
        let file = download.file
        // A file of mine that was sent without a hash is smaller on the server if it is a picture: metadata was removed.
        let size = file.path == nil || file.hash != nil ? file.size : nil
        let request = FileDownload(
            url: download.url, folder: folder, name: file.name, limit: download.limit,
            trustedHosts: download.trustedHosts, size: size, hash: file.hash)
        return try await files.transfers.download(request) { [weak self] done, size in
            self?.progressed(download, FileProgress(done: done, size: size))
        }
    }

    private func accept(_ download: Download, into folder: String) async throws(FileTransferError)
        -> DownloadedFile
    {
        guard let service = chat?.service(of: download.buddy)?.directFiles else { throw .offerEnded }
        let file = try await files.transfers.create(in: folder, name: download.file.name)
        return try await service.receive(download.url, into: file) { [weak self] done in
            self?.progressed(download, FileProgress(done: done, size: download.file.size))
        }
    }

    private func progressed(_ download: Download, _ progress: FileProgress) {
        guard running[download.key]?.isCancelled == false,
            case .loading(let before) = state(of: download.file), !before.looksLike(progress)
        else { return }
        sizes[download.key] = progress.size ?? sizes[download.key]
        set(.loading(progress), of: download.file)
    }
}
