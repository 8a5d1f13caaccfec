// SPDX-License-Identifier: GPL-3.0-or-later

/// A received stanza, as far as its sender is entitled to send it.
enum InboundStanza: Hashable, Sendable {
    case message(Message, Timestamp?)
    /// A message that another device of this account sent.
    case sentElsewhere(Message, Timestamp?)
    /// The presence of a contact or of another device of this account.
    case presence(Presence)
    /// A change of the roster: one item, and the version that results; with its acknowledgement.
    case roster(Roster, IQ)
    /// A change of the block list, with its acknowledgement.
    case blocking(Blocking.Change, IQ)
    /// A change of an item that someone publishes.
    case published(PubSub.Change)
    /// A request of a session between devices, which its receiver answers.
    case request(IQ)
    /// A request that concerns nobody else, with its answer.
    case answered(IQ)
    case response(IQ)
    /// A result in an archive's response: its element.
    case archived(XMLElement, from: JID?)
    /// A stanza to drop, because it is invalid, too large or not from an entitled sender, with the reason for the log.
    case dropped(String)

    /// - Parameter info: What other devices are told of this one.
    init(_ stanza: XMLElement, own: JID, info: @autoclosure () -> DiscoInfo = OwnCapabilities.info) {
        switch stanza.name {
        case "message": self = Message(stanza).map { Self.message($0, own) } ?? .dropped("no message")
        case "presence": self = Presence(stanza).map { .presence($0) } ?? .dropped("no presence")
        case "iq": self = IQ(stanza).map { Self.iq($0, own, info) } ?? .dropped("no IQ")
        default: self = .dropped("no stanza")
        }
    }

    private static func message(_ message: Message, _ own: JID) -> InboundStanza {
        if let carbon = Carbons.read(message, own: own) { return carbon }
        if let result = Archive.result(in: message) { return .archived(result, from: message.from) }
        if let notification = PubSub.read(message, own: own) { return notification }
        return .message(message, Delay.stamp(in: message.extensions))
    }

    private static func iq(_ iq: IQ, _ own: JID, _ info: () -> DiscoInfo) -> InboundStanza {
        guard iq.kind == .get || iq.kind == .set else { return .response(iq) }
        let payload = iq.payload ?? XMLElement("", "")
        switch (iq.kind, payload.namespace) {
        case (.get, Ping.namespace): return .answered(iq.result())
        case (.get, DiscoInfo.namespace): return .answered(disco(iq, node: payload["node"], info()))
        case (.set, Roster.namespace):
            guard let roster = Roster.push(iq, own: own) else {
                return .dropped("roster push from a different sender")
            }
            return .roster(roster, iq.result())
        case (.set, Blocking.namespace):
            guard let change = Blocking.push(iq, own: own) else {
                return .dropped("block push from a different sender")
            }
            return .blocking(change, iq.result())
        case (.set, Jingle.namespace), (.set, InBandBytestream.namespace): return .request(iq)
        default: return .answered(iq.refusal(StanzaError(.cancel, "service-unavailable")))
        }
    }

    private static func disco(_ iq: IQ, node: String?, _ info: DiscoInfo) -> IQ {
        let own = Capabilities(node: OwnCapabilities.node, of: info)
        guard node == nil || node == "\(own.node)#\(own.version)" else {
            return iq.refusal(StanzaError(.cancel, "item-not-found"))
        }
        return iq.result(info.element(node: node))
    }
}
