// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A file of the user's that is offered to a buddy's device, until the device has it or refuses it.
@MainActor
final class OutgoingTransfer: JingleSession {
    /// The time in which a person should answer.
    static let answerTime = Duration.seconds(600)

    let peer: JID
    let sid = RandomText.make(16)
    private let content = "file"
    private let file: any OutgoingFile
    private let description: FileDescription
    private let offered = InBandBytestream(sid: RandomText.make(16))
    /// The stream with the blocks that the device accepts; nil until it accepts the file.
    private var accepted: InBandBytestream?
    private var isSent = false
    private var isReceived = false
    /// The end, with whether the device has confirmed that it has the file.
    private var outcome: Result<Bool, FileTransferError>?
    private var waiting: CheckedContinuation<Void, Never>?
    private var ended: CheckedContinuation<Void, Never>?
    private let client: XMPPClient
    private let clock: any Scheduler

    init(
        of file: any OutgoingFile, _ description: FileDescription, to peer: JID, client: XMPPClient,
        clock: any Scheduler
    ) {
        (self.file, self.description, self.peer) = (file, description, peer)
        (self.client, self.clock) = (client, clock)
    }

    /// Offers the file, and sends it once it is accepted; returns whether the device confirms that it has it.
    func run(progress: @escaping @MainActor (Int64) -> Void) async throws(FileTransferError) -> Bool {
        await withTaskCancellationHandler {
            // The end does not wait for a request that the device does not answer.
            await withCheckedContinuation { continuation in
                ended = continuation
                Task { await send(progress) }
            }
        } onCancel: {
            Task { @MainActor in end(.cancelled, .cancel) }
        }
        return try outcome?.get() ?? false
    }

    /// - Parameter reason: The reason for the device; nil if it knows it, or cannot be reached.
    func end(_ error: FileTransferError, _ reason: Jingle.Reason? = nil) { end(.failure(error), reason) }

    private func end(_ result: Result<Bool, FileTransferError>, _ reason: Jingle.Reason?) {
        guard outcome == nil else { return }
        outcome = result
        if let reason { client.terminate(sid, with: peer, reason) }
        goOn()
        ended?.resume()
        ended = nil
    }

    private func goOn() {
        waiting?.resume()
        waiting = nil
    }

    /// Waits until the device accepts the file or the session ends, at most for a time.
    private func wait(_ limit: Duration) async {
        guard outcome == nil else { return }
        let timer = clock.schedule(after: limit) { [weak self] in self?.goOn() }
        await withCheckedContinuation { waiting = $0 }
        timer.cancel()
    }
}

// MARK: - Sending

extension OutgoingTransfer {
    private func send(_ progress: @escaping @MainActor (Int64) -> Void) async {
        let content = Jingle.content(content, [description.element, offered.element])
        let party = ("initiator", client.address)
        guard await ask(Jingle.request(.initiate, sid: sid, party: party, [content]), endsBy: nil) else {
            return
        }
        if accepted == nil { await wait(Self.answerTime) }
        guard let accepted else { return end(.declined, .timeout) }
        guard await ask(accepted.open), await sendBlocks(accepted, progress) else { return }
        if outcome == nil { await wait(DirectTransfers.idleTime) }
        // The device has acknowledged all blocks, but a user interface may have failed with them, as that of Dino 0.4 does.
        end(.success(isReceived), .success)
    }

    /// Sends the file, and returns whether the session goes on.
    private func sendBlocks(
        _ stream: InBandBytestream, _ progress: @escaping @MainActor (Int64) -> Void
    ) async -> Bool {
        let hash = RunningHash()
        var (offset, sequence) = (Int64(0), UInt16(0))
        while offset < file.size {
            let count = Int(min(file.size - offset, Int64(stream.blockSize)))
            do throws(FileTransferError) {
                let bytes = try await file.read(at: offset, count: count)
                hash.add(bytes)
                offset += Int64(count)
                isSent = offset == file.size
                guard await ask(stream.data(bytes, sequence: sequence)) else { return false }
            } catch {
                end(error, .failedApplication)
                return false
            }
            sequence &+= 1
            progress(offset)
        }
        let checksum = FileDescription.checksum(hash.finish(), of: content)
        // A device that does not verify the hash may refuse it, and one that has everything may have closed the stream.
        _ = await ask(Jingle.request(.info, sid: sid, [checksum]), mayFail: true)
        if outcome == nil { _ = await ask(stream.close, mayFail: true) }
        return true
    }

    /// Sends a request, and returns whether the session goes on.
    ///
    /// - Parameters:
    ///   - reason: The reason to end the session with if the request fails.
    ///   - mayFail: Whether the session goes on then, unless the connection was lost.
    private func ask(
        _ payload: XMLElement, endsBy reason: Jingle.Reason? = .failedTransport, mayFail: Bool = false
    ) async -> Bool {
        guard outcome == nil else { return false }
        do throws(RequestError) {
            _ = try await client.request(.set, to: peer, payload)
        } catch .disconnected {
            end(.unreachable, .connectivityError)
        } catch {
            if !mayFail { end(.incomplete, reason) }
        }
        return outcome == nil
    }
}

// MARK: - Requests of the device

extension OutgoingTransfer {
    /// Returns whether a request closes the stream, which a device may do that does not want the rest.
    func takes(_ payload: XMLElement) -> Bool {
        payload.name == "close" && payload["sid"] == offered.sid && !isSent
    }

    func accept(_ request: Jingle, in iq: IQ) {
        guard accepted == nil, outcome == nil else {
            return client.refuse(iq, .wait, "unexpected-request", .outOfOrder)
        }
        guard let stream = request.contents.first.flatMap({ InBandBytestream(in: $0) }),
            stream.sid == offered.sid
        else {
            client.refuse(iq, .modify, "bad-request")
            return end(.incomplete, .failedTransport)
        }
        client.acknowledge(iq)
        accepted = stream
        goOn()
    }

    func terminate(for reason: Jingle.Reason?) {
        switch reason {
        case .success where isSent: end(.success(true), nil)
        case .decline, .cancel, .busy: end(.declined)
        default: end(.incomplete)
        }
    }

    func handle(_ message: XMLElement, in iq: IQ) -> Bool {
        guard message.isNamed("received", FileDescription.namespace) else { return false }
        isReceived = isSent
        client.acknowledge(iq)
        return true
    }
}
