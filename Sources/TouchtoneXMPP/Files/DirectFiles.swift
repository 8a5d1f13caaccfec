// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The files that pass directly between this device and those of buddies (XEP-0234).
@MainActor
final class DirectFiles: StreamModule, DirectFileService {
    nonisolated static let features = [
        FileDescription.namespace, FileDescription.hashes, FileDescription.hashFeature,
        InBandBytestream.transport,
    ]

    private let account: AccountContext
    private let client: XMPPClient
    private(set) var devices = BuddyDevices()
    /// The presence of buddies that has come on the present stream.
    private let firstPresences: FirstPresences
    private lazy var transfers = DirectTransfers(jingle, clock: account.clock) { [weak self] in
        self?.handle($0)
    }
    private let jingle: JingleSessions

    init(of account: AccountContext, _ jingle: JingleSessions) {
        (self.account, client, self.jingle) = (account, account.client, jingle)
        firstPresences = FirstPresences(clock: account.clock)
    }

    func begin() {
        transfers.endAll()
        devices = BuddyDevices()
        firstPresences.begin()
    }

    /// Ends all transfers, because the user signs out.
    func cancelAll() { transfers.endAll(.cancel) }

    func handle(_ stanza: InboundStanza) -> Bool {
        switch stanza {
        case .presence(let presence): handle(presence)
        case .request(let iq):
            if !account.refusesSessions(iq) { transfers.handleStream(iq) }
            return true
        case .message, .sentElsewhere, .roster, .blocking, .published, .answered, .response, .archived,
            .dropped:
            break
        }
        return false
    }

    private func handle(_ presence: Presence) {
        guard let from = presence.from else { return }
        if account.roster.record(of: ChatAddress(from)) != nil {
            devices.handle(presence)
            firstPresences.handle(presence)
        }
        if presence.kind == .unavailable { transfers.end(with: from) }
    }

    func canOffer(to buddy: ChatAddress) async -> Bool { await taker(buddy) != nil }

    func offer(
        _ file: any OutgoingFile, named name: String, mediaType: String, to buddy: ChatAddress,
        progress: @escaping @MainActor (Int64) -> Void
    ) async throws(FileTransferError) -> Bool {
        guard let device = await taker(buddy) else {
            throw client.state == .online ? .incomplete : .unreachable
        }
        let description = FileDescription(name: name, size: file.size, mediaType: mediaType)
        return try await transfers.offer(file, description, to: device, progress: progress)
    }

    /// Returns the device of a buddy with the highest priority that takes files directly; nil if none is online.
    ///
    /// Just after a sign-in, the presence of the buddy may still have to come: a file that waited would fail without it.
    /// Devices are asked for their features, because presence has only a hash of them. All are asked at once, because
    /// one may not answer.
    private func taker(_ buddy: ChatAddress) async -> JID? {
        guard client.state == .online, let jid = buddy.jid, jid.isBare else { return nil }
        if account.roster.record(of: buddy)?.tellsMe == true { await firstPresences.wait(for: jid) }
        let features: Set = [Jingle.namespace, FileDescription.namespace, InBandBytestream.transport]
        let client = client
        let answers = devices.devices(of: jid).map { device in
            let info = Task {
                try? await client.info(of: device.jid, node: device.node, limit: Self.answerTime)
            }
            return (device.jid, info)
        }
        for (device, info) in answers {
            if await info.value?.features.isSuperset(of: features) == true { return device }
        }
        return nil
    }

    /// The time in which a device has to state its features, for which the user waits.
    private static let answerTime = Duration.seconds(5)

    func isOffered(_ offer: String) -> Bool { transfer(offer) != nil }

    func receive(
        _ offer: String, into file: any IncomingFile, progress: @escaping @MainActor (Int64) -> Void
    ) async throws(FileTransferError) -> DownloadedFile {
        guard client.state == .online, let transfer = transfer(offer) else { throw .offerEnded }
        return try await transfer.receive(into: file, progress: progress)
    }

    func decline(_ offer: String) { transfer(offer)?.end(.cancelled, .decline) }

    private func transfer(_ offer: String) -> IncomingTransfer? {
        transfers.incoming(String(offer.dropFirst(SharedFile.offerScheme.count)))
    }

    private func handle(_ event: DirectTransfers.Event) {
        switch event {
        case .offered(let id, let file, let peer):
            let shared = SharedFile(offer: id, name: file.name, size: file.size)
            account.emit([
                .received(
                    ReceivedMessage(
                        buddy: ChatAddress(peer), sender: .buddy, content: MessageContent(file: shared),
                        time: account.wall.now, name: shared.url))
            ])
        case .ended(let id): account.onEvent?(.offerEnded(SharedFile.offerScheme + id))
        }
    }
}
