// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The messages of an account, to and from people and rooms, with their receipts, markers and typing states.
@MainActor
final class Messaging: StreamModule {
    nonisolated static let features = [
        Receipts.namespace, ChatState.namespace, Correction.namespace, ChatMarkers.namespace,
        OutOfBandData.namespace, ExplicitEncryption.namespace, Reply.namespace, FallbackIndication.namespace,
        Reactions.namespace, Retraction.namespace, Spoiler.namespace, FileSharing.namespace,
        FileSharing.mediaSharing,
    ]

    private let account: AccountContext
    private let rooms: RoomSessions
    private let archive: AccountArchive
    private let reading: SharedReading
    private let encryption: MessageStage<OutgoingMessage>

    init(
        of account: AccountContext, _ rooms: RoomSessions, _ archive: AccountArchive,
        _ reading: SharedReading, encryption: MessageStage<OutgoingMessage>
    ) {
        (self.account, self.rooms, self.archive) = (account, rooms, archive)
        (self.reading, self.encryption) = (reading, encryption)
    }

    func forget() { (account.outbox, account.addressed) = (SendWindow(), []) }

    func handle(_ stanza: InboundStanza) -> Bool {
        let inbound: InboundMessage
        switch stanza {
        case .message(let message, let stamp):
            inbound = InboundMessage(message: message, source: .stream(stamp), reader: archive.reader)
        case .sentElsewhere(let message, let stamp):
            inbound = InboundMessage(message: message, source: .sentElsewhere(stamp), reader: archive.reader)
        case .presence, .roster, .blocking, .published, .request, .answered, .response, .archived, .dropped:
            return false
        }
        let own = account.client.account.jid.bare
        account.pipeline.receive(inbound) { [account, archive] parsed in
            // The user may have changed the account meanwhile.
            guard own == account.client.account.jid.bare else { return }
            account.emit(archive.catchUp.receive(parsed))
            if let (buddy, state) = parsed.typing { account.onEvent?(.typing(buddy, state)) }
            if let message = parsed.message, message.sender == .buddy { account.onMessage?(message.buddy) }
        }
        return true
    }

    private func confirm(_ message: Message) {
        if account.isReady { account.send(message.element) } else { account.outbox.keep(message.element) }
    }

}

// MARK: - Requests

extension Messaging: MessageService {
    func canSend(_ text: String, to buddy: ChatAddress) -> Bool { Self.canSend(text, to: buddy) }

    nonisolated static func canSend(_ text: String, to buddy: ChatAddress) -> Bool {
        guard text.utf8.count <= SendWindow.maximumStanzaSize, let jid = buddy.jid else { return false }
        // Longer than any id that a message gets.
        let name = String(repeating: "x", count: 64)
        let message = OutgoingMessage.own(text, to: jid, of: buddy, name: name, corrected: name)
        let stanza = message.clear.element
        return bytes(of: stanza) <= SendWindow.maximumStanzaSize
    }

    func send(_ message: ChatMessage) {
        guard let name = message.name, let jid = message.buddy.jid else { return }
        submit(message, message.sentText, to: jid, name: name, file: message.file)
    }

    func sendCorrection(of message: ChatMessage, name: String) {
        guard let original = message.name, let jid = message.buddy.jid,
            // A message that has not been sent yet is sent with its new text.
            message.state != .waiting || account.outbox.isSent(original)
                || rooms.session(jid)?.sent.contains(original) == true
        else { return }
        submit(message, message.text, to: jid, name: name, corrected: original)
    }

    func send(_ annotation: MessageAnnotation) {
        guard let jid = annotation.buddy.jid else { return }
        let built = Message.own(annotation, to: jid, way: rooms.destination(jid))
        submit(
            OutgoingMessage(
                buddy: annotation.buddy, base: built, text: built.body, described: [], form: .clear,
                keepsOrder: false),
            to: jid, name: annotation.name)
    }

    private func submit(
        _ message: ChatMessage, _ text: String, to jid: JID, name: String, corrected: String? = nil,
        file: SharedFile? = nil
    ) {
        var built = OutgoingMessage.own(
            text, to: jid, of: message.buddy, name: name, corrected: corrected, file: file,
            others: message.reply.map { Reply.elements($0, message.content) } ?? [],
            way: rooms.destination(jid), asks: rooms.asksForReceipts(jid))
        built.spoiler = message.content.spoiler
        if message.content.protection.isEncrypted { built.mustBeEncrypted = true }
        submit(built, to: jid, name: name)
    }

    /// Encrypts a message, and sends it after those that came before: the way of all messages of mine.
    private func submit(_ built: OutgoingMessage, to jid: JID, name: String) {
        guard maySend(name, to: jid), !account.outbox.isSent(name), !account.outbox.holdsBack(built) else {
            return
        }
        let attempt = account.outbox.prepares(name)
        let count = account.readyCount
        let transmit = { [weak self] (message: OutgoingMessage, stanza: XMLElement?, text: String?) in
            // If the connection was lost meanwhile, all waiting messages are requested again: none may overtake another.
            guard let self, account.outbox.prepared(message, attempt: attempt), count == account.readyCount,
                let stanza
            else { return }
            self.transmit(stanza, of: built.buddy, to: jid, name: name, text: text)
        }
        if let stanza = account.outbox.returned(built) {
            encryption.whenPassed { transmit(built, stanza, built.text) }
        } else {
            encryption.enter([built]) {
                for message in $0 { transmit(message, message.stanza, message.encryptedText) }
            }
        }
    }

    private func maySend(_ name: String, to jid: JID) -> Bool {
        account.isReady && !account.outbox.isStuffed && rooms.maySend(name, to: jid)
    }

    private func transmit(
        _ stanza: XMLElement, of buddy: ChatAddress, to jid: JID, name: String, text: String?
    ) {
        // A message that may no longer be sent now is requested again.
        guard maySend(name, to: jid) else { return }
        let bytes = Self.bytes(of: stanza)
        guard bytes <= SendWindow.maximumStanzaSize else {
            return account.emit([.failed(buddy: buddy, name: name, reason: Self.tooLong)])
        }
        if rooms.destination(jid) == .person { account.addressed.insert(buddy) }
        guard account.outbox.sends(name, bytes: bytes, text: text) else { return }
        rooms.sends(name, to: jid)
        account.send(stanza)
    }

    /// Sends the buddy a delivery receipt, if it may know that I am online; in a room, if all know each other.
    func confirmArrival(of message: ChatMessage) {
        guard message.receiptRequests.contains(.receipt), message.sender != .me,
            let name = message.name, let jid = message.buddy.jid
        else { return }
        if let session = rooms.session(jid) {
            rooms.confirm(Receipts.receipt(for: name, to: jid), in: session)
        } else if account.mayKnow(message.buddy) {
            confirm(Receipts.receipt(for: name, to: jid))
        }
    }

    /// Marks the buddy's messages up to this one as seen, for the buddy and my other devices, if it may know that I am
    /// online; in a room, if all know each other.
    func confirmReading(of message: ChatMessage) {
        guard message.receiptRequests.contains(.marker), message.sender != .me, let jid = message.buddy.jid
        else { return }
        if let session = rooms.session(jid) {
            // All occupants know a message by the id that the room assigned, if it assigns any (XEP-0333 section 4.3).
            let name = jid.isBare && session.state.hasArchive ? message.archiveName : message.name
            if let name { rooms.confirm(ChatMarkers.displayed(name, to: jid), in: session) }
        } else if account.mayKnow(message.buddy), let name = message.name {
            reading.assist(message) { [weak self] mark in
                self?.confirm(ChatMarkers.displayed(name, to: jid, with: mark))
            }
        }
    }

    func shareReading(upTo message: ChatMessage) { reading.share(upTo: message) }

    /// Sends the buddy my typing state, if it may know that I am online.
    func sendChatState(_ typing: Typing, to buddy: ChatAddress) {
        guard account.isReady, account.mayKnow(buddy), let jid = buddy.jid else { return }
        account.send(ChatState(typing).message(to: jid).element)
    }

    func loadHistory(
        of buddy: ChatAddress, before archiveName: String?
    ) async throws(ChatServiceError) -> Bool {
        guard account.client.state == .online else { throw .offline }
        guard let jid = buddy.jid else { throw .unsupported }
        let room = jid.isBare ? rooms.session(jid) : nil
        guard room.map(\.state.hasArchive) ?? (archive.isAvailable == true) else { throw .unsupported }
        var query = Archive.Query(.before(archiveName), with: room == nil ? jid : nil)
        // The archive contains receipts and markers, so a page without messages is not the beginning.
        for _ in 0..<Self.maximumHistoryPages {
            let wanted = query
            let page: Archive.Page
            do throws(RequestError) {
                page = try await account.client.archive(wanted, of: room?.jid)
            } catch .refused(let error) where error.condition == "item-not-found" {
                return false
            } catch {
                throw ChatServiceError(error)
            }
            let own = account.client.account.jid.bare
            let readings = await account.pipeline.read(
                page, room?.reader ?? archive.reader)
            guard own == account.client.account.jid.bare else { throw .offline }
            let messages = readings.compactMap(\.message).filter { $0.buddy == buddy }
            guard messages.isEmpty else {
                account.emit(
                    [.archived(ArchivePage(.oldest(of: buddy), messages.map(\.past)))]
                        + readings.flatMap(\.others))
                return !page.isComplete
            }
            guard !page.isComplete, let first = page.set.first ?? page.items.first?.id else { return false }
            query.page = .before(first)
        }
        return false
    }

    private static let maximumHistoryPages = 20
    private static var tooLong: String { localized("The message is too long to send.") }

    private nonisolated static func bytes(of stanza: XMLElement) -> Int {
        stanza.serialized(in: Namespace.client).utf8.count
    }
}

extension ChatState {
    init(_ typing: Typing) {
        self =
            switch typing {
            case .composing: .composing
            case .paused: .paused
            case .active: .active
            case .gone: .inactive
            }
    }
}
