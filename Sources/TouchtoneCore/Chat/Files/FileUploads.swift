// SPDX-License-Identifier: GPL-3.0-or-later

/// The queue of the user’s files, before their messages are sent.
///
/// A message is saved at once, and sent by the `Outbox` after the upload, with the address of the file. Texts
/// do not wait for it: the message then moves to the end, where it arrives. The files of one conversation are
/// uploaded one after another, so that they arrive in order. If the program ends in between, the file is
/// uploaded again; its message is sent once, because it keeps its ID.
@MainActor
public final class FileUploads {
    /// The greatest number of uploads at a time.
    static let maximumAtOnce = 2
    /// The greatest number of files that can be attached at once.
    public static let maximumAttached = 20

    /// Whether files can be sent, as far as it is known.
    enum Support {
        case unknown, unsupported
        case supported(limit: Int64?)
    }

    let files: FileDependencies
    private(set) weak var chat: Chat?
    private let observers = Observers<Int64?>()
    private(set) var support = Support.unknown
    private var queue: [ChatMessage] = []
    private var running: [Int64: Running] = [:]
    /// The number of account changes: what was begun before one is ignored.
    private(set) var turn = 0

    private struct Running {
        let buddy: ChatAddress
        /// The message as it is stored now.
        var message: ChatMessage
        var progress: FileProgress
        /// Whether the file is offered directly to the buddy, who may take long to answer.
        var isOffer = false
        /// Whether the file is encrypted; nil until that is decided.
        var isEncrypted: Bool?
        /// The message to begin anew with, because the encryption of its conversation was switched on or off.
        var next: ChatMessage?
        let task: Task<Void, Never>
    }

    init(_ files: FileDependencies, of chat: Chat) { (self.files, self.chat) = (files, chat) }

    /// Calls `body` with the ID of each message whose progress changed, or with nil when it may have become possible or
    /// impossible to send files, for as long as `owner` exists.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Int64?) -> Void) {
        observers.add(owner, body)
    }

    /// Returns whether a message’s file was offered to the buddy, who has not accepted it.
    public func isOffered(_ message: ChatMessage) -> Bool {
        running[message.id].map { $0.isOffer && $0.progress.done == 0 } ?? false
    }

    /// Returns the progress of a message’s upload; nil if it has not begun.
    public func progress(of message: ChatMessage) -> FileProgress? { running[message.id]?.progress }

    /// Returns the reason why no files can be sent to a buddy; nil if they can, now or later.
    public func obstacle(to buddy: ChatAddress) -> String? {
        guard buddy != .operatorAddress else { return localized("The Operator does not take files.") }
        guard chat?.account != nil || chat?.state == .online else { return TransferText.noAccount }
        if case .unsupported = support, !mayTakeOffers(buddy) { return TransferText.unsupported }
        return nil
    }

    /// Returns whether a buddy is online, perhaps with a device that takes files directly.
    private func mayTakeOffers(_ buddy: ChatAddress) -> Bool {
        guard chat?.isEncrypted(buddy) != true, let row = chat?.buddies.row(of: buddy), row.room == nil else {
            return false
        }
        return row.isListed && row.availability != .offline
    }
}

// MARK: - Actions of the user

extension FileUploads {
    public func cancel(_ message: ChatMessage) {
        guard let chat, let name = message.name else { return }
        running[message.id]?.task.cancel()
        queue.removeAll { $0.id == message.id }
        chat.keep([.cancelled(buddy: message.buddy, name: name)], nil) { [files] changes in
            for message in changes.removed {
                if let path = message.file?.path { files.storage.discard(path) }
            }
        }
    }

    /// Returns the reason why a file can be sent neither by the server nor directly; nil if it can.
    func problem(with size: Int64, of name: String, to buddy: ChatAddress) async -> String? {
        let isEncrypted = chat?.isEncrypted(buddy) == true
        guard let problem = uploadProblem(with: size, of: name, to: buddy, isEncrypted) else { return nil }
        guard !isEncrypted else { return problem }
        let canOffer = await chat?.service(of: buddy)?.directFiles?.canOffer(to: buddy) ?? false
        return canOffer ? nil : problem
    }

    private func uploadProblem(
        with size: Int64, of name: String, to buddy: ChatAddress, _ isEncrypted: Bool
    ) -> String? {
        let excess = isEncrypted ? EncryptedCopy.excess : 0
        return switch support {
        case .unsupported: isEncrypted ? TransferText.onlyByServer : noService(for: buddy)
        case .supported(let limit?) where size + excess > limit:
            TransferText.tooLarge(name, size: size, limit: limit - excess)
        case .unknown, .supported: nil
        }
    }

    private func noService(for buddy: ChatAddress) -> String {
        let row = chat?.buddies.row(of: buddy)
        return row?.room == nil
            ? TransferText.noDevice(of: row?.name ?? buddy.text) : TransferText.unsupported
    }
}

// MARK: - The queue

extension FileUploads {
    /// Uploads the file of a saved message when its turn comes.
    func add(_ message: ChatMessage) {
        guard running[message.id] == nil else { return }
        if let index = queue.firstIndex(where: { $0.id == message.id }) {
            queue[index] = message
        } else {
            queue.append(message)
        }
        work()
    }

    /// Begins anew with messages whose files are to be encrypted, or not any more.
    func take(_ messages: [ChatMessage]) {
        for message in messages where message.needsUpload && message.state == .waiting {
            guard let upload = running[message.id] else {
                add(message)
                continue
            }
            running[message.id]?.message = message
            let isEncrypted = upload.isEncrypted ?? upload.message.content.protection.isEncrypted
            guard isEncrypted != message.content.protection.isEncrypted else { continue }
            running[message.id]?.next = message
            upload.task.cancel()
        }
    }

    /// Begins anew with the file that is being uploaded in the clear, because its conversation is encrypted from now on.
    func encrypt(_ buddy: ChatAddress) {
        for (id, upload) in running where upload.buddy == buddy && upload.isEncrypted == false {
            running[id]?.next = upload.message.protected
            upload.task.cancel()
        }
    }

    /// Uploads all waiting files, because the service can send now.
    func ready(_ service: any ChatService) {
        guard service.files != nil, let chat else { return }
        let turn = turn
        Task {
            await learnLimit(from: service)
            guard let waiting = try? await chat.store.waiting(), turn == self.turn else { return }
            for message in waiting where message.needsUpload && service.carries(message.buddy) {
                add(message)
            }
        }
    }

    /// Stops all uploads, because the account changes; their messages wait.
    func stop() {
        turn += 1
        for upload in running.values { upload.task.cancel() }
        (queue, running, support) = ([], [:], .unknown)
        observers.notify(nil)
    }

    func learnLimit(of buddy: ChatAddress) async {
        if case .unknown = support, let service = chat?.service(of: buddy) { await learnLimit(from: service) }
    }

    private func learnLimit(from service: any ChatService) async {
        guard let files = service.files else { return }
        let turn = turn
        let learnt: Support
        do throws(ChatServiceError) {
            learnt = .supported(limit: try await files.uploadLimit())
        } catch .unsupported {
            learnt = .unsupported
        } catch {
            return
        }
        guard turn == self.turn else { return }
        support = learnt
        observers.notify(nil)
    }

    private func work() {
        // An offer may wait for long, and the others must not wait for it.
        while running.values.count(where: { !$0.isOffer }) < Self.maximumAtOnce {
            let busy = Set(running.values.map(\.buddy))
            guard let index = queue.firstIndex(where: { !busy.contains($0.buddy) }) else { return }
            let (message, turn) = (queue.remove(at: index), turn)
            let task = Task { [weak self] in
                guard let outcome = await self?.upload(message) else { return }
                self?.end(message, outcome, turn: turn)
            }
            running[message.id] = Running(
                buddy: message.buddy, message: message, progress: FileProgress(size: message.file?.size),
                task: task)
            observers.notify(message.id)
        }
    }

    private enum Outcome {
        case uploaded(String, size: Int64, FileHash?, thumbnail: String?)
        /// A device of the buddy has received the file, and perhaps confirmed that it has it.
        case passed(isConfirmed: Bool)
        case failed(String)
        /// The service cannot upload now; the message waits until it is ready again.
        case waits
    }

    private func upload(_ message: ChatMessage) async -> Outcome {
        guard let file = message.file, let path = file.path,
            let service = chat?.service(of: message.buddy)?.files
        else { return .waits }
        do throws(FileProblem) {
            _ = try await files.storage.inspect(path)
        } catch {
            return .failed(error == .missing ? TransferText.vanished : error.text(of: file.name))
        }
        let outgoing: any OutgoingFile
        do throws(FileTransferError) {
            outgoing = try await files.transfers.open(
                path, mediaType: file.mediaType, removesMetadata: files.removesMetadata())
        } catch {
            return .failed(TransferText.sending(file.name, error))
        }
        guard let isEncrypted = await decideEncryption(of: message) else { return .waits }
        let problem = uploadProblem(with: outgoing.size, of: file.name, to: message.buddy, isEncrypted)
        if let problem {
            return isEncrypted
                ? .failed(problem) : await offer(outgoing, of: message, otherwise: problem)
        }
        do throws(FileTransferError) {
            let copy = isEncrypted ? try await outgoing.encrypted() : nil
            return try await upload(outgoing, copy, of: message, file, by: service)
        } catch {
            // The service reports that it is ready once the connection is back.
            if error == .unreachable, chat?.state != .online { return .waits }
            return .failed(TransferText.sending(file.name, error))
        }
    }

    /// Uploads a file, or its encrypted copy, of which nothing else leaves the phone.
    private func upload(
        _ outgoing: any OutgoingFile, _ copy: EncryptedCopy?, of message: ChatMessage, _ file: SharedFile,
        by service: any FileService
    ) async throws(FileTransferError) -> Outcome {
        let content = copy?.file ?? outgoing
        let slot: FileSlot
        do throws(ChatServiceError) {
            slot = try await service.slot(
                forFile: copy == nil ? file.name : HiddenFileName.make(for: file), size: content.size,
                mediaType: copy == nil ? file.mediaType : HiddenFileName.mediaType)
        } catch {
            switch error {
            case .offline: return .waits
            case .refused(let reason): return .failed(reason)
            case .unsupported:
                guard copy == nil else { return .failed(TransferText.onlyByServer) }
                let problem = noService(for: message.buddy)
                return await offer(outgoing, of: message, otherwise: problem)
            }
        }
        let hash = copy == nil ? try await outgoing.hash() : nil
        let thumbnail = copy == nil ? await thumbnail(of: outgoing, file) : nil
        // Encryption may have been switched on meanwhile.
        if Task.isCancelled { throw .cancelled }
        try await content.upload(to: slot) { [weak self] in
            self?.progressed(message, FileProgress(done: $0, size: content.size))
        }
        guard let copy else { return .uploaded(slot.get, size: outgoing.size, hash, thumbnail: thumbnail) }
        guard let link = copy.link(slot.get) else { throw .invalidAddress }
        return .uploaded(link, size: outgoing.size, nil, thumbnail: nil)
    }

    /// Decides whether the file of a message is encrypted; nil if that cannot be known now.
    private func decideEncryption(of message: ChatMessage) async -> Bool? {
        var isEncrypted: Bool? =
            message.content.protection.isEncrypted || chat?.isEncrypted(message.buddy) == true
        if isEncrypted == false, let encryption = chat?.service(of: message.buddy)?.encryption {
            isEncrypted = await encryption.decide(for: message.buddy)
        }
        running[message.id]?.isEncrypted = isEncrypted
        return isEncrypted
    }

    /// Returns the thumbnail of what others get: a picture without its metadata.
    private func thumbnail(of outgoing: any OutgoingFile, _ file: SharedFile) async -> String? {
        guard file.isPicture, (1...Self.greatestPicture).contains(outgoing.size),
            let bytes = try? await outgoing.read(at: 0, count: Int(outgoing.size))
        else { return nil }
        return await files.thumbnail(bytes)
    }

    /// The greatest size of a picture with a thumbnail, in bytes.
    private static let greatestPicture: Int64 = 16 << 20

    /// Sends a file directly, because the server does not take it.
    private func offer(
        _ file: any OutgoingFile, of message: ChatMessage, otherwise problem: String
    ) async -> Outcome {
        guard let name = message.file?.name, let service = chat?.service(of: message.buddy)?.directFiles,
            await service.canOffer(to: message.buddy)
        else {
            return .failed(problem)
        }
        running[message.id]?.isOffer = true
        observers.notify(message.id)
        work()
        do throws(FileTransferError) {
            let size = file.size
            let isConfirmed = try await service.offer(
                file, named: name, mediaType: message.file?.mediaType ?? "", to: message.buddy
            ) { [weak self] in
                self?.progressed(message, FileProgress(done: $0, size: size))
            }
            return .passed(isConfirmed: isConfirmed)
        } catch {
            // The service reports that it is ready once it is back.
            if error == .unreachable { return .waits }
            let buddy = chat?.buddies.row(of: message.buddy)?.name ?? message.buddy.text
            return .failed(TransferText.offering(name, to: buddy, error))
        }
    }

    private func progressed(_ message: ChatMessage, _ progress: FileProgress) {
        guard let before = running[message.id]?.progress else { return }
        running[message.id]?.progress = progress
        if !before.looksLike(progress) { observers.notify(message.id) }
    }

    private func end(_ message: ChatMessage, _ outcome: Outcome, turn: Int) {
        guard turn == self.turn, let upload = running.removeValue(forKey: message.id) else { return }
        if !upload.task.isCancelled, let chat, let name = message.name {
            switch outcome {
            case .uploaded(let url, let size, let hash, let thumbnail):
                let update = MessageUpdate.uploaded(
                    buddy: message.buddy, name: name, url: url, size: size, hash: hash, thumbnail: thumbnail)
                chat.keep(chat.wordsApart(from: upload.message, at: url) + [update], nil) { [self] changes in
                    for message in changes.inserted + changes.changed { chat.deliver(message) }
                    // The encryption was switched on meanwhile.
                    if changes.changed.isEmpty, upload.isEncrypted == false, turn == self.turn {
                        add(message.protected)
                    }
                }
            case .passed(let isConfirmed):
                let url = SharedFile.offerScheme + name
                chat.keep(
                    [
                        .uploaded(buddy: message.buddy, name: name, url: url),
                        isConfirmed
                            ? .delivered(buddy: message.buddy, name: name)
                            : .acknowledged(buddy: message.buddy, name: name),
                    ], nil
                ) { _ in }
                // Devices take a file without words about it.
                if !message.isFileAlone { chat.send(message.visibleText, to: message.buddy) }
            case .failed(let reason):
                chat.keep([.failed(buddy: message.buddy, name: name, reason: reason)], nil) { _ in }
            case .waits: break
            }
        }
        if let next = upload.next { add(next) }
        observers.notify(message.id)
        work()
    }
}
