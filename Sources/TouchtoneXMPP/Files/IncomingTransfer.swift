// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A file that a buddy's device offers, until it is received or refused.
@MainActor
final class IncomingTransfer: JingleSession {
    /// The greatest number of blocks that wait to be written; a sender that sends more does not wait for answers.
    static let maximumBlocks = 16

    private enum Stage {
        /// The user has not decided.
        case offered
        /// The sender may open the stream.
        case accepted
        /// The sender sends blocks.
        case open
        /// The sender has sent everything; its hash may be missing.
        case closed
        case saving
        case ended
    }

    let peer: JID
    let sid: String
    let stream: InBandBytestream
    private let file: FileDescription
    private let content: String
    private let client: XMPPClient
    private let clock: any Scheduler
    private let ended: @MainActor (IncomingTransfer, _ wasAccepted: Bool) -> Void
    private var stage = Stage.offered
    private var target: (any IncomingFile)?
    private var progress: (@MainActor (Int64) -> Void)?
    private var continuation: CheckedContinuation<Result<DownloadedFile, FileTransferError>, Never>?
    private var expected: FileDescription.Hash
    private let hash = RunningHash()
    private var blocks: [(iq: IQ, bytes: [UInt8])] = []
    private var isWriting = false
    private var sequence: UInt16 = 0
    private var (received, written): (Int64, Int64) = (0, 0)
    /// Whether the sender has ended the session itself.
    private var isTerminated = false
    private var timer: (any ScheduledTimer)?

    init(
        of file: FileDescription, from peer: JID, sid: String, content: String, stream: InBandBytestream,
        client: XMPPClient, clock: any Scheduler,
        ended: @escaping @MainActor (IncomingTransfer, _ wasAccepted: Bool) -> Void
    ) {
        (self.file, self.peer, self.sid, self.content) = (file, peer, sid, content)
        (self.stream, self.client, self.clock, self.ended) = (stream, client, clock, ended)
        expected = file.hash
    }

    func receive(
        into target: any IncomingFile, progress: @escaping @MainActor (Int64) -> Void
    ) async throws(FileTransferError) -> DownloadedFile {
        guard case .offered = stage else { throw .offerEnded }
        stage = .accepted
        (self.target, self.progress) = (target, progress)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                continuation = $0
                accept()
            }
        } onCancel: {
            Task { @MainActor in end(.cancelled, .cancel) }
        }
        return try result.get()
    }

    private func accept() {
        watch()
        let request = Jingle.request(
            .accept, sid: sid, party: ("responder", client.address),
            [Jingle.content(content, [file.element, stream.element])])
        Task {
            do throws(RequestError) {
                _ = try await client.request(.set, to: peer, request)
            } catch {
                end(error == .disconnected ? .incomplete : .offerEnded, .connectivityError)
            }
        }
    }

    /// - Parameter reason: The reason for the sender; nil if the sender knows it, or cannot be reached.
    func end(_ error: FileTransferError, _ reason: Jingle.Reason? = nil) { end(.failure(error), reason) }

    private func end(_ result: Result<DownloadedFile, FileTransferError>, _ reason: Jingle.Reason?) {
        if case .ended = stage { return }
        stage = .ended
        timer?.cancel()
        for block in blocks { client.refuse(block.iq, .cancel, "item-not-found") }
        blocks = []
        if let reason, !isTerminated { client.terminate(sid, with: peer, reason) }
        // An incomplete file is removed with its object.
        (target, progress) = (nil, nil)
        ended(self, continuation != nil)
        continuation?.resume(returning: result)
        continuation = nil
    }

    /// Restarts the time in which the next data must arrive.
    private func watch() {
        timer?.cancel()
        timer = clock.schedule(after: DirectTransfers.idleTime) { [weak self] in
            self?.endIdle()
        }
    }

    private func endIdle() {
        if case .open = stage, written == file.size {
            // The sender may omit the end of the stream.
            stage = .closed
            finishIfComplete(isLast: true)
        } else {
            end(.incomplete, .timeout)
        }
    }
}

// MARK: - The session

extension IncomingTransfer {
    func accept(_ request: Jingle, in iq: IQ) {
        client.refuse(iq, .wait, "unexpected-request", .outOfOrder)
    }

    func terminate(for reason: Jingle.Reason?) {
        isTerminated = true
        guard reason == .success, received == file.size, stage != .offered else {
            return end(stage == .offered ? .offerEnded : .incomplete)
        }
        if case .open = stage { stage = .closed }
        finishIfComplete(isLast: true)
    }

    func handle(_ message: XMLElement, in iq: IQ) -> Bool {
        guard message.isNamed("checksum", FileDescription.namespace) else { return false }
        guard let hash = FileDescription.hash(inChecksum: message) else {
            client.refuse(iq, .modify, "bad-request")
            end(.damaged, .mediaError)
            return true
        }
        client.acknowledge(iq)
        if case .known = expected { return true }
        if case .known = hash { expected = hash }
        finishIfComplete()
        return true
    }
}

// MARK: - The stream

extension IncomingTransfer {
    func handleStream(_ payload: XMLElement, in iq: IQ) {
        switch (payload.name, stage) {
        case ("open", .accepted):
            guard stream.isOpened(by: payload) else {
                return client.refuse(iq, .modify, "resource-constraint")
            }
            stage = .open
            watch()
            client.acknowledge(iq)
        case ("open", _): client.refuse(iq, .cancel, "not-acceptable")
        case ("data", .open): add(payload, in: iq)
        case ("close", .open):
            client.acknowledge(iq)
            guard received == file.size else { return end(.incomplete, .failedTransport) }
            stage = .closed
            watch()
            finishIfComplete()
        case ("data", .accepted), ("data", .offered), ("data", .closed), ("close", _):
            client.refuse(iq, .cancel, "unexpected-request")
        default: client.refuse(iq, .cancel, "item-not-found")
        }
    }

    private func add(_ data: XMLElement, in iq: IQ) {
        guard data["seq"].flatMap({ UInt16($0) }) == sequence else {
            client.refuse(iq, .cancel, "unexpected-request")
            return end(.damaged, .failedTransport)
        }
        guard let bytes = stream.bytes(in: data) else {
            client.refuse(iq, .modify, "bad-request")
            return end(.damaged, .failedTransport)
        }
        guard received + Int64(bytes.count) <= file.size else {
            client.refuse(iq, .modify, "not-acceptable")
            return end(.damaged, .mediaError)
        }
        guard blocks.count < Self.maximumBlocks else {
            client.refuse(iq, .wait, "resource-constraint")
            return end(.damaged, .failedTransport)
        }
        sequence &+= 1
        received += Int64(bytes.count)
        blocks.append((iq, bytes))
        watch()
        if !isWriting { Task { await write() } }
    }

    /// Writes the blocks; each is acknowledged once it is written, so that the sender is no faster than the disk.
    private func write() async {
        guard !isWriting else { return }
        isWriting = true
        while let (iq, bytes) = blocks.first, let target {
            do throws(FileTransferError) {
                try await target.append(bytes)
            } catch {
                end(error, .failedApplication)
            }
            guard !blocks.isEmpty else { break }
            blocks.removeFirst()
            hash.add(bytes)
            written += Int64(bytes.count)
            progress?(written)
            client.acknowledge(iq)
        }
        isWriting = false
        finishIfComplete()
    }

    /// Verifies and saves the file if everything has arrived.
    ///
    /// - Parameter isLast: Whether the sender will not send a hash any more.
    private func finishIfComplete(isLast: Bool = false) {
        guard case .closed = stage, written == file.size, let target else { return }
        switch expected {
        case .promised:
            if isLast || isTerminated { end(.incomplete, .mediaError) }
            return
        case .known(let known): guard hash.finish() == known else { return end(.damaged, .mediaError) }
        case .none: break
        }
        stage = .saving
        timer?.cancel()
        Task {
            do throws(FileTransferError) {
                end(.success(try await target.finish()), .success)
            } catch {
                end(error, .failedApplication)
            }
        }
    }
}
