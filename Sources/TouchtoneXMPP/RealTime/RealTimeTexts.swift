// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Real-time text with the buddy of the open conversation (XEP-0301).
///
/// It passes only between devices that know each other's presence, and only after both have asked. A buddy may ask before the
/// user does, so the devices that have asked are noted. What strangers and rooms send is ignored.
@MainActor
final class RealTimeTexts: StreamModule {
    nonisolated static let features = [RealTimeText.namespace]
    /// The greatest number of devices that are noted.
    static let maximumDevices = 1000
    /// The time in which a device has to state its features.
    private static let answerTime = Duration.seconds(20)

    /// The answer of a device to the question for its features.
    private enum Support { case asked, yes, no }

    private let account: AccountContext
    private let direct: DirectFiles
    private(set) var exchange: RealTimeExchange?
    /// The devices that have asked and not cancelled, the last one at the end.
    private var asking: [JID] = []
    /// The number of times that each buddy has begun to ask on this stream, and the buddies that the user has put off until it
    /// ends.
    private var (questions, ignored): ([JID: Int], Set<JID>) = ([:], [])
    var isAllowed = true { didSet { if isAllowed != oldValue { account.onPresenceChange?() } } }
    var present: [String] { isAllowed ? Self.features : [] }
    private var support: [BuddyDevices.Device: Support] = [:]

    init(of account: AccountContext, _ direct: DirectFiles) {
        (self.account, self.direct) = (account, direct)
        account.onMessage = { [weak self] in self?.messageCame(from: $0) }
    }

    func begin() {
        (asking, support, questions, ignored) = ([], [:], [:], [])
        exchange?.interrupt()
    }

    func forget() {
        begin()
        exchange = nil
    }

    /// Asks the devices that are online: stanzas can be sent now.
    func start() {
        guard let exchange, account.isReady, mayTake(part: exchange.buddy) else { return }
        // One that has asked supports it, whatever it says of its features.
        for device in asking where device.bare == exchange.buddy { exchange.ask(device) }
        for device in direct.devices.devices(of: exchange.buddy) { ask(device) }
        beginWithLast()
    }

    func handle(_ stanza: InboundStanza) -> Bool {
        switch stanza {
        case .presence(let presence): handle(presence)
        // A text that was delayed is not typed now.
        case .message(let message, nil): handle(message)
        case .message, .sentElsewhere, .roster, .blocking, .published, .request, .answered, .response,
            .archived, .dropped:
            break
        }
        return false
    }

    private func handle(_ presence: Presence) {
        guard let from = presence.from else { return }
        if presence.kind == .unavailable {
            forget { $0 == from || from.isBare && $0.bare == from }
        } else if from.bare == exchange?.buddy {
            start()
        }
    }

    private func forget(_ isGone: (JID) -> Bool) {
        for device in asking where isGone(device) { note(device, asks: false) }
        support = support.filter { !isGone($0.key.jid) }
        if let device = exchange?.device, isGone(device) { exchange?.lose(device) }
    }

    private func handle(_ message: Message) {
        guard message.kind == .chat || message.kind == .normal, let from = message.from, !from.isBare,
            // A copy of a message to another device is not for this one.
            message.to.map({ $0.isBare || $0 == account.client.address }) ?? true,
            let text = message.extension(RealTimeText.namespace, "rtt").flatMap({ RealTimeText($0) }),
            mayTake(part: from.bare)
        else { return }
        note(from, asks: text.event != .cancel)
        if let exchange, exchange.buddy == from.bare { exchange.take(text, from: from) }
    }

    /// Notes that a device asks, or does so no more.
    private func note(_ device: JID, asks: Bool) {
        guard asks ? asking.count < Self.maximumDevices && !asking.contains(device) : asking.contains(device)
        else { return }
        if asks { asking.append(device) } else { asking.removeAll { $0 == device } }
        let buddy = device.bare
        guard asking.filter({ $0.bare == buddy }).count == (asks ? 1 : 0) else { return }
        if asks { questions[buddy, default: 0] += 1 }
        if questions[buddy, default: 0] <= RealTimeExchange.maximumAnswers {
            account.onEvent?(.realTimeText(ChatAddress(buddy), .asked))
        }
    }

    private func messageCame(from buddy: ChatAddress) {
        if let exchange, ChatAddress(exchange.buddy) == buddy { exchange.messageCame() }
    }

    /// Returns whether a buddy may know what the user types, and when: both see each other's presence.
    private func mayTake(part buddy: JID) -> Bool {
        let address = ChatAddress(buddy)
        guard let record = account.roster.record(of: address) else { return false }
        return record.toldByMe && record.tellsMe && !account.roster.blocked.contains(address)
    }

    /// Begins with the device that has asked last, unless there is one already.
    private func beginWithLast() {
        guard let exchange, exchange.device == nil,
            let last = asking.last(where: { $0.bare == exchange.buddy && exchange.asked.contains($0) })
        else { return }
        exchange.begin(with: last)
    }

    private func ask(_ device: BuddyDevices.Device) {
        guard let exchange, exchange.buddy == device.jid.bare else { return }
        switch support[device] {
        case .yes:
            exchange.ask(device.jid)
        case .asked, .no: break
        case nil:
            guard support.count < Self.maximumDevices else { return }
            support[device] = .asked
            let (client, stream) = (account.client, account.stream)
            stream.run { [weak self] in
                let info = try? await client.info(of: device.jid, node: device.node, limit: Self.answerTime)
                guard let self, !stream.isOver else { return }
                // One that has not answered is asked again with the next conversation.
                support[device] = info.map { $0.features.contains(RealTimeText.namespace) ? .yes : .no }
                if info != nil, account.isReady { ask(device) }
                beginWithLast()
            }
        }
    }

    private func send(_ text: RealTimeText, to device: JID) -> Bool {
        guard account.isReady, mayTake(part: device.bare) else { return false }
        account.send(text.message(to: device).element)
        return true
    }
}

// MARK: - Requests

extension RealTimeTexts: RealTimeTextService {
    /// A buddy who has begun to ask too often is not shown any more.
    func isAsked(by buddy: ChatAddress) -> Bool {
        guard let jid = buddy.jid, !ignored.contains(jid),
            questions[jid, default: 0] <= RealTimeExchange.maximumAnswers
        else { return false }
        return asking.contains { $0.bare == jid }
    }

    func putOff(_ buddy: ChatAddress) { if let jid = buddy.jid { ignored.insert(jid) } }

    func startRealTimeText(with buddy: ChatAddress) {
        exchange?.end()
        guard let jid = buddy.jid, jid.isBare else { return exchange = nil }
        exchange = RealTimeExchange(
            with: jid, clock: account.clock, sequence: Int.random(in: 0...99_999),
            send: { [weak self] in self?.send($0, to: $1) ?? false },
            report: { [weak self] in self?.account.onEvent?(.realTimeText(buddy, $0)) })
        start()
    }

    func showTyped(_ text: String) { exchange?.showTyped(text) }

    func endTyped() { exchange?.endTyped() }

    func stopRealTimeText() {
        exchange?.end()
        exchange = nil
    }
}
