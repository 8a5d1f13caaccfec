// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The files that pass directly between this device and those of buddies: Jingle sessions with in-band bytestreams.
@MainActor
final class DirectTransfers {
    /// The greatest number of offers that wait for the user or are being received, from one buddy and from all.
    static let maximumPerBuddy = 20, maximumIncoming = 100
    /// The greatest size of a file, in bytes.
    static let maximumSize: Int64 = 4 << 30
    /// The time without any data after which a transfer ends.
    static let idleTime = Duration.seconds(60)

    /// A new offer, or the end of one that the user has not accepted.
    enum Event {
        case offered(id: String, FileDescription, by: JID)
        case ended(id: String)
    }

    private let clock: any Scheduler
    private let client: XMPPClient
    private let jingle: JingleSessions
    private let emit: @MainActor (Event) -> Void
    private var incoming: [String: IncomingTransfer] = [:]
    /// The transfers of the user’s files, by the identifiers of their sessions.
    private var outgoing: [String: OutgoingTransfer] = [:]

    init(_ jingle: JingleSessions, clock: any Scheduler, emit: @escaping @MainActor (Event) -> Void) {
        (self.jingle, client, self.clock, self.emit) = (jingle, jingle.client, clock, emit)
        jingle.register(FileDescription.namespace) { [weak self] in self?.receive($0) }
    }

    func incoming(_ id: String) -> IncomingTransfer? { incoming[id] }

    func handleStream(_ iq: IQ) {
        guard let peer = iq.from, let payload = iq.payload else { return }
        if let transfer = incoming.values.first(where: { $0.peer == peer && $0.stream.sid == payload["sid"] })
        {
            return transfer.handleStream(payload, in: iq)
        }
        guard let own = outgoing.values.first(where: { $0.peer == peer && $0.takes(payload) }) else {
            return client.refuse(iq, .cancel, payload.name == "open" ? "not-acceptable" : "item-not-found")
        }
        client.acknowledge(iq)
        own.end(.incomplete, .failedTransport)
    }

    /// Ends all transfers with a device, which is offline.
    func end(with peer: JID) {
        for transfer in incoming.values where peer.covers(transfer.peer) { transfer.end(.incomplete) }
        for transfer in outgoing.values where peer.covers(transfer.peer) { transfer.end(.incomplete) }
    }

    /// - Parameter reason: The reason for the other devices; nil if they cannot be reached.
    func endAll(_ reason: Jingle.Reason? = nil) {
        for transfer in incoming.values { transfer.end(.incomplete, reason) }
        for transfer in outgoing.values { transfer.end(.unreachable, reason) }
    }
}

// MARK: - The user’s files

extension DirectTransfers {
    func offer(
        _ file: any OutgoingFile, _ description: FileDescription, to peer: JID,
        progress: @escaping @MainActor (Int64) -> Void
    ) async throws(FileTransferError) -> Bool {
        let transfer = OutgoingTransfer(of: file, description, to: peer, client: client, clock: clock)
        outgoing[transfer.sid] = transfer
        jingle.add(transfer)
        defer {
            outgoing[transfer.sid] = nil
            jingle.remove(transfer)
        }
        return try await transfer.run(progress: progress)
    }
}

// MARK: - Offers

extension DirectTransfers {
    private func receive(_ offer: JingleSessions.Offer) {
        let (content, peer) = (offer.content, offer.peer)
        guard offer.request.contents.count == 1, content["senders"] == "initiator" else {
            return jingle.reject(offer, .unsupportedApplications)
        }
        guard let file = FileDescription(offer.description) else {
            return client.refuse(offer.iq, .modify, "bad-request")
        }
        guard let stream = InBandBytestream(in: content) else {
            return jingle.reject(offer, .unsupportedTransports)
        }
        let others = incoming.values.filter { $0.peer.bare == peer.bare }
        guard incoming.count < Self.maximumIncoming, others.count < Self.maximumPerBuddy,
            !others.contains(where: { $0.peer == peer && $0.stream.sid == stream.sid })
        else { return jingle.reject(offer, .busy) }
        guard (1...Self.maximumSize).contains(file.size) else { return jingle.reject(offer, .decline) }
        client.acknowledge(offer.iq)
        let id = RandomText.make(22)
        let transfer = IncomingTransfer(
            of: file, from: peer, sid: offer.request.sid, content: offer.name, stream: stream, client: client,
            clock: clock
        ) { [weak self] transfer, wasAccepted in
            self?.incoming[id] = nil
            self?.jingle.remove(transfer)
            if !wasAccepted { self?.emit(.ended(id: id)) }
        }
        incoming[id] = transfer
        jingle.add(transfer)
        emit(.offered(id: id, file, by: peer))
    }
}

extension JID {
    /// Returns whether an address is this one, or a device of this account.
    fileprivate func covers(_ other: JID) -> Bool { isBare ? other.bare == self : other == self }
}
