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

    let client: XMPPClient
    let clock: any Scheduler
    private let tell: @MainActor (Event) -> Void
    private var incoming: [String: IncomingTransfer] = [:]
    /// The transfers of the user’s files, by the identifiers of their sessions.
    private var outgoing: [String: OutgoingTransfer] = [:]

    init(_ client: XMPPClient, clock: any Scheduler, tell: @escaping @MainActor (Event) -> Void) {
        (self.client, self.clock, self.tell) = (client, clock, tell)
    }

    /// Returns the transfer of an offer; nil if it has ended.
    func incoming(_ id: String) -> IncomingTransfer? { incoming[id] }

    /// Handles a request from a buddy's device, and answers it.
    func take(_ iq: IQ) {
        guard let peer = iq.from, let payload = iq.payload else { return }
        if payload.namespace == InBandBytestream.namespace {
            let transfer = incoming.values.first { $0.peer == peer && $0.stream.sid == payload["sid"] }
            guard let transfer else {
                if let own = outgoing.values.first(where: { $0.peer == peer && $0.takes(payload) }) {
                    client.send(iq.result().element)
                    return own.end(.incomplete, .failedTransport)
                }
                return refuse(iq, .cancel, payload.name == "open" ? "not-acceptable" : "item-not-found")
            }
            return transfer.take(payload, in: iq)
        }
        guard let request = Jingle(payload) else { return refuse(iq, .modify, "bad-request") }
        if let own = outgoing[request.sid], own.peer == peer { return own.take(request, in: iq) }
        let transfer = incoming.values.first { $0.peer == peer && $0.sid == request.sid }
        switch (request.action, transfer) {
        case (.initiate, nil): offered(request, by: peer, in: iq)
        case (.initiate, _?): refuse(iq, .wait, "unexpected-request", .outOfOrder)
        case (_, nil): refuse(iq, .cancel, "item-not-found", .unknownSession)
        case (_, let transfer?): transfer.take(request, in: iq)
        }
    }

    /// Ends all transfers with a device, which is offline.
    func end(with peer: JID) {
        for transfer in incoming.values where peer.covers(transfer.peer) { transfer.end(.incomplete) }
        for transfer in outgoing.values where peer.covers(transfer.peer) { transfer.end(.incomplete) }
    }

    /// Ends all transfers.
    ///
    /// - Parameter reason: The reason for the other devices; nil if they cannot be reached.
    func endAll(_ reason: Jingle.Reason? = nil) {
        for transfer in incoming.values { transfer.end(.incomplete, reason) }
        for transfer in outgoing.values { transfer.end(.unreachable, reason) }
    }
}

// MARK: - The user’s files

extension DirectTransfers {
    /// Offers a file to a device, and sends it once it is accepted.
    func offer(
        _ file: any OutgoingFile, _ description: FileDescription, to peer: JID,
        progress: @escaping @MainActor (Int64) -> Void
    ) async throws(FileTransferError) -> Bool {
        let transfer = OutgoingTransfer(of: file, description, to: peer, in: self)
        outgoing[transfer.sid] = transfer
        defer { outgoing[transfer.sid] = nil }
        return try await transfer.run(progress: progress)
    }
}

// MARK: - Offers

extension DirectTransfers {
    private func offered(_ request: Jingle, by peer: JID, in iq: IQ) {
        guard let content = request.contents.first, let name = content["name"].flatMap(Jingle.bounded) else {
            return refuse(iq, .modify, "bad-request")
        }
        let description = content.children.first { $0.name == "description" }
        guard request.contents.count == 1, content["senders"] == "initiator", let description,
            description.namespace == FileDescription.namespace
        else { return reject(request, in: iq, .unsupportedApplications) }
        guard let file = FileDescription(description) else { return refuse(iq, .modify, "bad-request") }
        guard let stream = InBandBytestream(in: content) else {
            return reject(request, in: iq, .unsupportedTransports)
        }
        let others = incoming.values.filter { $0.peer.bare == peer.bare }
        guard incoming.count < Self.maximumIncoming, others.count < Self.maximumPerBuddy,
            !others.contains(where: { $0.peer == peer && $0.stream.sid == stream.sid })
        else { return reject(request, in: iq, .busy) }
        guard (1...Self.maximumSize).contains(file.size) else { return reject(request, in: iq, .decline) }
        client.send(iq.result().element)
        let id = RandomText.make(22)
        incoming[id] = IncomingTransfer(
            of: file, from: peer, sid: request.sid, content: name, stream: stream, in: self
        ) { [weak self] wasAccepted in
            self?.incoming[id] = nil
            if !wasAccepted { self?.tell(.ended(id: id)) }
        }
        tell(.offered(id: id, file, by: peer))
    }

    /// Acknowledges an offer, and ends its session.
    private func reject(_ request: Jingle, in iq: IQ, _ reason: Jingle.Reason) {
        client.send(iq.result().element)
        if let peer = iq.from { terminate(request.sid, with: peer, reason) }
    }
}

// MARK: - Stanzas

extension DirectTransfers {
    /// Refuses a request.
    func refuse(
        _ iq: IQ, _ kind: StanzaError.Kind, _ condition: String, _ problem: Jingle.Problem? = nil
    ) {
        client.send(iq.refusal(StanzaError(kind, condition, detail: problem?.element)).element)
    }

    /// Ends a session, without waiting for the answer.
    func terminate(_ sid: String, with peer: JID, _ reason: Jingle.Reason) {
        client.send(
            IQ(.set, id: RandomText.make(16), to: peer, Jingle.terminate(reason, sid: sid)).element)
    }
}

extension JID {
    /// Returns whether an address is this one, or a device of this account.
    fileprivate func covers(_ other: JID) -> Bool { isBare ? other.bare == self : other == self }
}
