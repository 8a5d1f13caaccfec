// SPDX-License-Identifier: GPL-3.0-or-later

/// The queue of the user’s files, before their messages are sent.
///
/// The message of a file is saved at once and waits. The file is uploaded when its turn comes, and then the message is
/// sent by the `Outbox`, with the address of the file. Texts do not wait for it: a message whose upload ends later moves
/// to the end of its conversation, where it arrives. The files of one conversation are uploaded one after another, so
/// that they arrive in order; those of others do not wait for them. If the program ends in between, the file is uploaded
/// again; its message is sent once, because it keeps its ID.
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

    private let files: FileDependencies
    private weak var chat: Chat?
    private let observers = Observers<Int64?>()
    private(set) var support = Support.unknown
    private var queue: [ChatMessage] = []
    private var running: [Int64: Running] = [:]
    /// The number of account changes: what was begun before one is ignored.
    private var turn = 0

    private struct Running {
        let buddy: ChatAddress
        var progress: FileProgress
        let task: Task<Void, Never>
    }

    init(_ files: FileDependencies, of chat: Chat) { (self.files, self.chat) = (files, chat) }

    /// Calls `body` with the ID of each message whose progress changed, or with nil when it may have become possible or
    /// impossible to send files, for as long as `owner` exists.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Int64?) -> Void) {
        observers.add(owner, body)
    }

    /// Returns the progress of a message’s upload; nil if it has not begun.
    public func progress(of message: ChatMessage) -> FileProgress? { running[message.id]?.progress }

    /// Returns the reason why no files can be sent to a buddy; nil if they can, now or later.
    public func obstacle(to buddy: ChatAddress) -> String? {
        guard buddy != .operatorAddress else { return localized("The Operator does not take files.") }
        guard chat?.account != nil || chat?.state == .online else { return TransferText.noAccount }
        if case .unsupported = support { return TransferText.unsupported }
        return nil
    }
}

// MARK: - Actions of the user

extension FileUploads {
    /// Sends files to a buddy.
    ///
    /// - Parameter paths: The absolute paths, in the order of the messages.
    /// - Returns: The reasons why files were not accepted, for the user.
    public func attach(_ paths: [String], to buddy: ChatAddress) async -> [String] {
        if let obstacle = obstacle(to: buddy) { return [obstacle] }
        guard paths.count <= Self.maximumAttached else {
            return [TransferText.tooMany(paths.count, limit: Self.maximumAttached)]
        }
        let turn = turn
        await learnLimit(of: buddy)
        var problems: [String] = []
        for path in paths {
            let name = LocalFile.name(of: path)
            do throws(FileProblem) {
                let file = try await files.storage.inspect(path)
                guard turn == self.turn else { return problems }
                if let problem = problem(with: file.size, of: name) {
                    problems.append(problem)
                } else {
                    send(file, name: name, to: buddy)
                }
            } catch {
                problems.append(error.text(of: name))
            }
        }
        return problems
    }

    /// Sends a picture that has no file, such as one from the clipboard.
    ///
    /// - Parameter picture: The picture as PNG.
    /// - Returns: The reason why it was not accepted, for the user; nil if it was.
    public func attach(picture: [UInt8], to buddy: ChatAddress) async -> String? {
        if let obstacle = obstacle(to: buddy) { return obstacle }
        let (turn, name) = (turn, "picture.png")
        await learnLimit(of: buddy)
        if let problem = problem(with: Int64(picture.count), of: name) { return problem }
        do throws(FileProblem) {
            let path = try await files.storage.keep(picture, name: name)
            guard turn == self.turn else { return nil }
            send(
                LocalFile(path: path, size: Int64(picture.count), mediaType: "image/png"), name: name,
                to: buddy)
            return nil
        } catch {
            return error.text(of: name)
        }
    }

    /// Removes a message whose file is not uploaded.
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

    private func send(_ file: LocalFile, name: String, to buddy: ChatAddress) {
        chat?.send(
            SharedFile(name: name, size: file.size, mediaType: file.mediaType, path: file.path), to: buddy)
    }

    private func problem(with size: Int64, of name: String) -> String? {
        switch support {
        case .unsupported: return TransferText.unsupported
        case .supported(let limit?) where size > limit:
            return TransferText.tooLarge(name, size: size, limit: limit)
        case .unknown, .supported: return nil
        }
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

    private func learnLimit(of buddy: ChatAddress) async {
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
        while running.count < Self.maximumAtOnce {
            let busy = Set(running.values.map(\.buddy))
            guard let index = queue.firstIndex(where: { !busy.contains($0.buddy) }) else { return }
            let (message, turn) = (queue.remove(at: index), turn)
            let task = Task { [weak self] in
                guard let outcome = await self?.upload(message) else { return }
                self?.end(message, outcome, turn: turn)
            }
            running[message.id] = Running(
                buddy: message.buddy, progress: FileProgress(size: message.file?.size), task: task)
            observers.notify(message.id)
        }
    }

    /// The result of an upload.
    private enum Outcome {
        case uploaded(String)
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
        if let problem = problem(with: outgoing.size, of: file.name) { return .failed(problem) }
        let slot: FileSlot
        do throws(ChatServiceError) {
            slot = try await service.slot(
                forFile: file.name, size: outgoing.size, mediaType: file.mediaType)
        } catch {
            return switch error {
            case .offline: .waits
            case .refused(let reason): .failed(reason)
            case .unsupported: .failed(TransferText.unsupported)
            }
        }
        do throws(FileTransferError) {
            let size = outgoing.size
            try await outgoing.upload(to: slot) { [weak self] in
                self?.progressed(message, FileProgress(done: $0, size: size))
            }
            return .uploaded(slot.get)
        } catch {
            // The service reports that it is ready once the connection is back.
            if error == .unreachable, chat?.state != .online { return .waits }
            return .failed(TransferText.sending(file.name, error))
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
            case .uploaded(let url):
                chat.keep([.uploaded(buddy: message.buddy, name: name, url: url)], nil) { changes in
                    for message in changes.changed { chat.deliver(message) }
                }
            case .failed(let reason):
                chat.keep([.failed(buddy: message.buddy, name: name, reason: reason)], nil) { _ in }
            case .waits: break
            }
        }
        observers.notify(message.id)
        work()
    }
}
