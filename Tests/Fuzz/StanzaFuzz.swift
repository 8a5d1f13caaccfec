// SPDX-License-Identifier: GPL-3.0-or-later

// The path of a server's data, from bytes to reported events and answered offers of files, for libFuzzer. build.sh
// compiles it into the module.

import GLibBridge
import SIPMessages
import TouchtoneCore

private let own = JID("grace@localhost/phone") ?? JID(local: "", domain: "localhost")
private let header =
    "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>"
// The written form may be longer than the input: each apostrophe takes six bytes, and each namespace a declaration.
private let wide = XMLLimits(stanzaBytes: 1 << 30, tokenBytes: 1 << 30, attributes: 1 << 20, nodes: 1 << 20)

/// Runs one input: the way in which it is split into pieces, and the bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStanzas(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let data, count > 0 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    let step = max(1, Int(bytes[0]) * Int(bytes[0]))
    // The limits are so small that an input can exceed each of them.
    let limits = XMLLimits(
        depth: 64, stanzaBytes: 4096, tokenBytes: 2048, attributes: 64, nodes: 500, skippedBytes: 1 << 20)
    let parser = XMLStreamParser(limits: data[0] & 1 == 0 ? .session : limits)
    MainActor.assumeIsolated { IdlePhone.shared.begin() }
    do {
        _ = try parser.parse(Array(header.utf8))
        var rest = bytes.dropFirst()
        while !rest.isEmpty {
            for event in try parser.parse(Array(rest.prefix(step))) {
                switch event {
                case .stanza(let stanza): read(stanza)
                case .skipped(let head, _): readHead(head)
                default: break
                }
            }
            rest = rest.dropFirst(step)
        }
        if parser.failure != nil { throw XMLStreamError.malformed("") }
    } catch {
        precondition((try? parser.parse([32])) == nil, "a broken stream went on")
    }
    return 0
}

private func read(_ stanza: XMLElement) {
    guard let own else { return }
    precondition(readAgain(stanza) == stanza, "what is written is read as something else")
    switch InboundStanza(stanza, own: own) {
    case .message(let message, _), .sentElsewhere(let message, _):
        _ = readAgain(message.element).map { precondition(Message($0)?.body == message.body) }
        _ = (Receipts.received(in: message), ChatMarkers.displayed(in: message))
        _ = (Correction.corrected(by: message), ChatState(in: message))
        _ = (message.error?.condition, StableIDs.origin(in: message))
        if let content = MessageContent(message) { read(content) }
        _ = (Reactions(in: message), Retraction(in: message))
        _ = Retraction(inPlaceOf: message, archiveID: "a")
        _ = Reply(in: message)
        OMEMO.encrypted(in: message).flatMap { SealedMessage($0) }.map(read)
        message.extension(RealTimeText.namespace).flatMap { RealTimeText($0) }.map(read)
        for told in message.extensions.compactMap({ CallMessage($0) }) {
            precondition(CallMessage(told.element) == told, "a message of a call is read as something else")
        }
    case .presence(let presence):
        _ = (readAgain(presence.element), Capabilities(in: presence))
    case .roster(let roster, _): precondition(roster.items.count == 1)
    case .request(let iq):
        iq.payload.flatMap { Jingle($0) }.map(read)
        MainActor.assumeIsolated { IdlePhone.shared.handle(iq) }
    case .archived(let result, _): _ = Forwarded(in: result)?.stamp?.description
    case .answered(let answer): _ = answer.element.serialized()
    case .published(let change): readKeys(change.items)
    case .response(let iq):
        guard let payload = iq.payload else { return }
        _ = (
            Roster(payload), ResultSet(in: payload), Blocking.addresses(in: payload),
            PubSub.items(in: payload), PrivateStorage.items(in: payload)
        )
        payload.child("items").map { readKeys(PubSub.items(in: $0)) }
        let servers = ExternalServices.servers(in: payload).servers
        precondition(servers.count <= ExternalServices.maximumServers && servers.allSatisfy { $0.port > 0 })
        if let info = DiscoInfo(payload) { _ = Capabilities.hash(of: info) }
    default: break
    }
    var management = StreamManagement(enabled: stanza)
    _ = try? management.acknowledge(stanza["h"])
    _ = (StreamFeatures(stanza).mechanisms, StreamFeatures(stanza).bindings, Timestamp(stanza.text))
    guard let jid = JID(stanza.text) else { return }
    precondition(JID(jid.description) == jid, "an address changes when it is read again")
}

private func read(_ content: MessageContent) {
    let (length, ranges) = (content.text.unicodeScalars.count, content.fallbacks.map(\.range))
    precondition(ranges.count <= MessageContent.maximumFallbacks, "too many ranges are kept")
    precondition(ranges.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= length && !$0.isEmpty })
    let visible = content.text(without: Set(content.fallbacks.map(\.namespace)))
    let hidden = (0..<length).count { index in ranges.contains { $0.contains(index) } }
    precondition(visible.unicodeScalars.count == length - hidden, "a range hides something else")
    var block = TextBlock()
    let pieces = MessagePiece.styledPieces(of: content.text, emoticons: .none, block: &block)
    precondition(
        pieces.map(\.piece.typed).joined().utf8.elementsEqual(content.text.utf8), "styles change a text")
}

private func read(_ typed: RealTimeText) {
    precondition(RealTimeText(typed.element) == typed, "what is typed is read as something else")
    var reader = RealTimeReader()
    for text in [RealTimeText(.new), typed, RealTimeText(.edit, sequence: 1, typed.actions)] {
        reader.take(text)
        while reader.play() != nil {}
        precondition(reader.text.unicodeScalars.count <= RealTimeDraft.maximumLength, "it is too long")
    }
}

/// Reads the keys of a message, each for a device.
private func read(_ sealed: SealedMessage) {
    precondition(sealed.keys.count <= OMEMO.maximumDevices, "too many keys are kept")
    precondition(sealed.keys.allSatisfy { (1...4096).contains($0.bytes.count) })
    precondition(sealed.payload == nil || [12, 16].contains(sealed.vector.count))
    let again = OMEMO.elements(of: sealed).first.flatMap { SealedMessage($0) }
    precondition(again == sealed, "an encrypted message is read as something else")
}

/// Reads the devices of an account, or the keys of one.
private func readKeys(_ items: [PubSub.Item]) {
    if let devices = OMEMO.devices(in: items) {
        precondition(devices.count <= OMEMO.maximumDevices && Set(devices).count == devices.count)
        let again = OMEMO.devices(in: [PubSub.Item(id: "current", payload: OMEMO.list(devices))])
        precondition(again == devices, "a device list is read as something else")
    }
    if let bundle = OMEMO.bundle(in: items) {
        let again = OMEMO.bundle(in: [PubSub.Item(id: "current", payload: OMEMO.element(of: bundle))])
        precondition(again == bundle, "a bundle is read as something else")
    }
}

private func readHead(_ head: XMLElement) {
    _ = (head.serialized(), Addresses(of: head), Message(head).flatMap { Archive.result(in: $0) })
}

private func readAgain(_ element: XMLElement) -> XMLElement? {
    let parser = XMLStreamParser(limits: wide)
    _ = try? parser.parse(Array(header.utf8))
    guard
        case .stanza(let again)? = (try? parser.parse(Array(element.serialized(in: "jabber:client").utf8)))?
            .first
    else { return nil }
    return again
}

/// Reads the files, the streams and the sound of a session.
private func read(_ request: Jingle) {
    _ = (request.reason, request.messages.map { FileDescription.hash(inChecksum: $0) })
    for content in request.contents {
        if let file = content.children.first.flatMap({ FileDescription($0) }) {
            let again = FileDescription(file.element)
            precondition(again?.name == file.name && again?.size == file.size, "a file changes")
        }
        if let stream = InBandBytestream(in: content) {
            precondition(InBandBytestream(in: Jingle.content("file", [stream.element])) == stream)
            _ = (stream.isOpened(by: content), stream.bytes(in: content))
        }
        for allowsPlain in [false, true] {
            let roles: Set<MediaDescription.Role> = [.either, .client, .server]
            guard let media = try? AudioContent.read(content, roles: roles, allowsPlain: allowsPlain) else {
                continue
            }
            let again = try? AudioContent.read(
                AudioContent.content("0", media), roles: [media.role], allowsPlain: allowsPlain)
            precondition(again == media, "a sound is read as something else")
            precondition(media.isEncrypted || allowsPlain, "a sound is not encrypted")
            precondition(media.candidates.count <= MediaDescription.maximumCandidates)
        }
    }
}

/// The offers of files to a phone that nobody uses, and that is offline: nothing that it sends arrives.
@MainActor
private final class IdlePhone {
    static let shared = IdlePhone()
    private let clock = StoppedClock()
    private let client: XMPPClient
    private let jingle: JingleSessions
    private var transfers: DirectTransfers?
    private var open: Set<String> = []
    private var answers: [IQ] = []

    private init() {
        guard let own else { preconditionFailure("the address is valid") }
        let account = XMPPAccount(jid: own, password: "")
        client = XMPPClient(account: account, clock: clock, network: StillNetwork())
        jingle = JingleSessions(client) { _ in false }
        client.onEvent = { [unowned self] event in
            if case .notDelivered(let stanza) = event, let iq = IQ(stanza) { answers.append(iq) }
        }
    }

    /// Forgets all offers.
    func begin() {
        transfers?.endAll()
        precondition(open.isEmpty, "an offer that ended is still shown")
        transfers = DirectTransfers(jingle, clock: clock) { [unowned self] event in
            switch event {
            case .offered(let id, _, _): precondition(open.insert(id).inserted, "two offers have one name")
            case .ended(let id): precondition(open.remove(id) != nil, "an offer ends twice")
            }
        }
    }

    /// Handles a request, which gets one answer.
    func handle(_ iq: IQ) {
        answers = []
        if iq.payload?.namespace == InBandBytestream.namespace {
            transfers?.handleStream(iq)
        } else {
            jingle.handle(iq)
        }
        precondition(open.count <= DirectTransfers.maximumIncoming, "too many offers are shown")
        guard iq.from != nil, iq.payload != nil else { return }
        let own = answers.filter { ($0.kind == .result || $0.kind == .error) && $0.id == iq.id }
        precondition(own.map(\.to) == [iq.from], "a request gets no answer, or several")
    }
}

/// A clock that stands still.
@MainActor
private final class StoppedClock: Scheduler, ScheduledTimer {
    let now = Duration.zero

    func schedule(after delay: Duration, _ action: @escaping @MainActor () -> Void) -> any ScheduledTimer {
        self
    }

    func cancel() {}
}

/// A network that does not change.
@MainActor
private final class StillNetwork: NetworkWatch {
    let isAvailable = true
    var onChange: (@MainActor (Bool) -> Void)?
}
