// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// A device that follows the test alone, whatever the standards say.
@MainActor
final class RawDevice {
    let session: Session
    let target: JID
    /// The requests of transfers that have come.
    private(set) var came: [IQ] = []
    /// The messages about calls that have come.
    private(set) var told: [CallMessage] = []
    /// The kinds of the presences that have come from the account.
    private(set) var presences: [Presence.Kind] = []
    /// Whether requests are answered as they come.
    var answers = true
    /// The name of the requests that are refused.
    var refuses = ""
    /// Whether a request to see its presence has come.
    private var isAsked = false

    /// Signs in as a buddy of the given account.
    init(to desk: XMPPAccountFixture, isBuddy: Bool = true) throws {
        (session, target) = (try signedIn("mallory"), try XCTUnwrap(desk.client.address))
        session.client.onStanza = { [weak self] in self?.handle($0) }
        let address = ChatAddress(jid)
        if isBuddy {
            session.client.send(Presence().element)
            try awaited { try await desk.chat.rosterModule.add(address, name: "") }
            waitUntil("it is a buddy") { desk.buddies[address] != nil }
            // Prosody acknowledges the request with the unavailable presence of the account, before it is passed on.
            waitUntil("it is asked") { isAsked }
        }
        session.client.send(Presence(to: target, extensions: [OwnCapabilities.element]).element)
    }

    var jid: JID { session.client.account.jid.bare }

    private func handle(_ stanza: InboundStanza) {
        if case .presence(let presence) = stanza {
            if presence.kind == .subscribe { isAsked = true }
            if presence.from?.bare == target.bare { presences.append(presence.kind) }
        }
        if case .message(let message, _) = stanza {
            told += message.extensions.compactMap { CallMessage($0) }
        }
        guard case .request(let iq) = stanza else { return }
        came.append(iq)
        let name = iq.payload?.name ?? ""
        if name == refuses {
            session.client.send(iq.refusal(StanzaError(.cancel, "not-acceptable")).element)
        } else if answers {
            session.client.send(iq.result().element)
        }
    }

    /// The actions of the sessions' requests so far, with their reasons.
    var actions: [String] {
        came.compactMap { $0.payload }.filter { $0.name == "jingle" }.map { request in
            let reason = request.child("reason")?.children.first?.name
            return [request["action"], reason].compactMap { $0 }.joined(separator: " ")
        }
    }

    /// Sends a request, and returns its error; empty for none.
    func ask(_ text: String, file: StaticString = #filePath, line: UInt = #line) throws -> String {
        let (element, client, target) = (try XMLElementTests.read(text), session.client, target)
        do {
            _ = try awaited(for: "the answer to \(text.prefix(300))", file: file, line: line) {
                try await client.request(.set, to: target, element)
            }
            return ""
        } catch RequestError.refused(let error) {
            return error.condition
        }
    }

    /// Sends a request without waiting for its answer.
    func send(_ text: String) throws {
        let element = try XMLElementTests.read(text)
        session.client.send(IQ(.set, id: RandomText.make(16), to: target, element).element)
    }
}

/// The stanzas of a transfer.
enum Wire {
    static func offer(
        sid: String = "s1", stream: String = "b1", size: String = "<size>5</size>", name: String = "a.txt",
        extra: String = "", senders: String = "initiator", block: String = "4096"
    ) -> String {
        let file = "<file><name>\(name)</name>\(size)\(extra)</file>"
        return session("session-initiate", sid, content(file, stream, senders: senders, block: block))
    }

    static func content(
        _ file: String, _ stream: String = "b1", senders: String = "initiator", block: String = "4096"
    ) -> String {
        "<content creator='initiator' name='file' senders='\(senders)'>"
            + "<description xmlns='urn:xmpp:jingle:apps:file-transfer:5'>\(file)</description>"
            + "<transport xmlns='urn:xmpp:jingle:transports:ibb:1' block-size='\(block)' sid='\(stream)'/></content>"
    }

    static func session(_ action: String, _ sid: String = "s1", _ children: String = "") -> String {
        "<jingle xmlns='urn:xmpp:jingle:1' action='\(action)' sid='\(sid)'>\(children)</jingle>"
    }

    static func terminate(_ reason: String, _ sid: String = "s1") -> String {
        session("session-terminate", sid, "<reason><\(reason)/></reason>")
    }

    static func open(_ stream: String = "b1", block: String = "4096", stanza: String = "iq") -> String {
        "<open xmlns='http://jabber.org/protocol/ibb' block-size='\(block)' sid='\(stream)' stanza='\(stanza)'/>"
    }

    static func data(_ text: String, _ sequence: Int, _ stream: String = "b1") -> String {
        "<data xmlns='http://jabber.org/protocol/ibb' seq='\(sequence)' sid='\(stream)'>\(text)</data>"
    }

    static func bytes(_ text: String, _ sequence: Int, _ stream: String = "b1") -> String {
        data(Base64.encode(Array(text.utf8)), sequence, stream)
    }

    static func close(_ stream: String = "b1") -> String {
        "<close xmlns='http://jabber.org/protocol/ibb' sid='\(stream)'/>"
    }

    static func hash(_ text: String) throws -> String {
        let bytes = try SCRAMHash.sha256.hash(Array(text.utf8))
        return "<hash xmlns='urn:xmpp:hashes:2' algo='sha-256'>\(Base64.encode(bytes))</hash>"
    }

    static let promise = "<hash-used xmlns='urn:xmpp:hashes:2' algo='sha-256'/>"

    static func checksum(_ hash: String) -> String {
        session(
            "session-info", "s1",
            "<checksum xmlns='urn:xmpp:jingle:apps:file-transfer:5' creator='initiator' name='file'><file>\(hash)</file></checksum>"
        )
    }
}

/// A file in memory, which the test can hold up.
@MainActor
final class MemoryIncomingFile: IncomingFile {
    private(set) var bytes: [UInt8] = []
    private(set) var isFinished = false
    /// Whether the disk is full.
    var isFull = false
    /// Whether writing waits for `goOn()`.
    var isHeld = false
    private var waiting: CheckedContinuation<Void, Never>?

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var isWaiting: Bool { waiting != nil }

    func goOn() {
        isHeld = false
        waiting?.resume()
        waiting = nil
    }

    func append(_ bytes: [UInt8]) async throws(FileTransferError) {
        if isHeld { await withCheckedContinuation { waiting = $0 } }
        if isFull { throw .unwritable }
        self.bytes += bytes
    }

    func finish() async throws(FileTransferError) -> DownloadedFile {
        isFinished = true
        return DownloadedFile(path: "/memory", mediaType: "", size: Int64(bytes.count))
    }
}

/// The user's acceptance of an offer.
@MainActor
final class Acceptance {
    let file = MemoryIncomingFile()
    private(set) var result: Result<DownloadedFile, FileTransferError>?
    private(set) var progress: [Int64] = []
    private var task: Task<Void, Never>?

    init(_ offer: String, by chat: DirectFiles) {
        task = Task { [file] in
            do throws(FileTransferError) {
                let done = try await chat.receive(offer, into: file) { [weak self] in
                    self?.progress.append($0)
                }
                result = .success(done)
            } catch {
                result = .failure(error)
            }
        }
    }

    func cancel() { task?.cancel() }

    /// Waits for the failure, and returns it.
    func failure(file path: StaticString = #filePath, line: UInt = #line) -> FileTransferError? {
        waitUntil("it has ended", file: path, line: line) { result != nil }
        XCTAssertFalse(file.isFinished, file: path, line: line)
        if case .failure(let error)? = result { return error }
        return nil
    }
}

extension XMPPAccountFixture {
    /// The addresses of the offers that have come.
    var offers: [String] { came.compactMap { $0.file?.url } }

    /// The addresses of the offers that have ended before their acceptance.
    var endedOffers: [String] {
        events.compactMap { if case .offerEnded(let offer) = $0 { offer } else { nil } }
    }
}
