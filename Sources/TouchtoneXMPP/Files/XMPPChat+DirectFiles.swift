// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

// Files that pass directly between two devices (XEP-0234).
extension XMPPChat {
    /// Returns whether a device of a buddy is online that takes files directly.
    public func canOffer(to buddy: ChatAddress) async -> Bool { await taker(buddy) != nil }

    /// Offers a file to a device of a buddy, and sends it once it is accepted.
    public func offer(
        _ file: any OutgoingFile, named name: String, mediaType: String, to buddy: ChatAddress,
        progress: @escaping @MainActor (Int64) -> Void
    ) async throws(FileTransferError) -> Bool {
        guard let device = await taker(buddy) else {
            throw client.state == .online ? .incomplete : .unreachable
        }
        let description = FileDescription(name: name, size: file.size, mediaType: mediaType)
        return try await direct.offer(file, description, to: device, progress: progress)
    }

    /// Returns the device of a buddy with the highest priority that takes files directly; nil if none is online.
    ///
    /// Just after a sign-in, the presence of the buddy may still have to come: a file that waited would fail without it.
    /// Devices are asked for their features, because presence has only a hash of them. All are asked at once, because
    /// one may not answer.
    private func taker(_ buddy: ChatAddress) async -> JID? {
        guard client.state == .online, let jid = buddy.jid, jid.isBare else { return nil }
        if book.record(of: buddy)?.tellsMe == true { await firstPresences.wait(for: jid) }
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

    /// Returns whether a device still offers a file.
    public func isOffered(_ offer: String) -> Bool { transfer(offer) != nil }

    /// Accepts an offer, and receives its file.
    public func receive(
        _ offer: String, into file: any IncomingFile, progress: @escaping @MainActor (Int64) -> Void
    ) async throws(FileTransferError) -> DownloadedFile {
        guard client.state == .online, let transfer = transfer(offer) else { throw .offerEnded }
        return try await transfer.receive(into: file, progress: progress)
    }

    /// Declines an offer.
    public func decline(_ offer: String) { transfer(offer)?.end(.cancelled, .decline) }

    private func transfer(_ offer: String) -> IncomingTransfer? {
        direct.incoming(String(offer.dropFirst(SharedFile.offerScheme.count)))
    }

    /// Handles a request of a direct transfer.
    ///
    /// A stranger, an occupant of a room or a blocked address gets the answer of a device without these features, which
    /// does not tell that the user is online.
    func takeTransfer(_ iq: IQ) {
        guard let peer = iq.from, !peer.isBare, book.record(of: ChatAddress(peer)) != nil,
            !book.blocked.contains(ChatAddress(peer))
        else { return client.send(iq.refusal(StanzaError(.cancel, "service-unavailable")).element) }
        direct.take(iq)
    }

    func take(_ event: DirectTransfers.Event) {
        switch event {
        case .offered(let id, let file, let peer):
            let shared = SharedFile(offer: id, name: file.name, size: file.size)
            tell([
                .received(
                    ReceivedMessage(
                        buddy: ChatAddress(peer), sender: .buddy, text: shared.name, time: wall.now,
                        name: shared.url, file: shared))
            ])
        case .ended(let id): onEvent?(.offerEnded(SharedFile.offerScheme + id))
        }
    }
}
