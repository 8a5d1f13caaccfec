// SPDX-License-Identifier: GPL-3.0-or-later

/// An event from the server, whose sender was entitled to send it.
public enum InboundEvent: Hashable, Sendable {
    /// A message to this account.
    case message(Message, Timestamp?)
    /// A message that another device of this account sent.
    case sentElsewhere(Message, Timestamp?)
    /// The presence of a contact or of another device of this account.
    case presence(Presence)
    /// A change of the roster: one item, and the version that results.
    case roster(Roster)
    /// A change of the block list.
    case blocking(Blocking.Change)
    /// A change of an item that someone publishes.
    case published(PubSub.Change)
    /// A request of a direct file transfer, which the receiver of this event answers.
    case transfer(IQ)
}

/// An inbound stanza, classified by how it is handled.
enum InboundStanza: Hashable {
    /// An event to report.
    case arrival(InboundEvent)
    /// A result in an archive's response: its element.
    case archived(XMLElement, from: JID?)
    /// A response to one of our requests.
    case response(IQ)
    /// A request, with our response and the event to report, if any.
    case request(IQ, InboundEvent?)
    /// A stanza to drop, with the reason.
    case dropped(String)

    /// Classifies a stanza that this device received.
    init(_ stanza: XMLElement, own: JID) {
        switch stanza.name {
        case "message": self = Message(stanza).map { Self.message($0, own) } ?? .dropped("no message")
        case "presence": self = Presence(stanza).map { Self.presence($0) } ?? .dropped("no presence")
        case "iq": self = IQ(stanza).map { Self.iq($0, own) } ?? .dropped("no IQ")
        default: self = .dropped("no stanza")
        }
    }

    private static func message(_ message: Message, _ own: JID) -> InboundStanza {
        switch Carbons.read(message, own: own) {
        case .received(let inner, let stamp): return .arrival(.message(inner, stamp))
        case .sent(let inner, let stamp): return .arrival(.sentElsewhere(inner, stamp))
        case .invalid(let reason): return .dropped(reason)
        case .none: break
        }
        if let result = Archive.result(in: message) { return .archived(result, from: message.from) }
        switch PubSub.read(message, own: own) {
        case .change(let change): return .arrival(.published(change))
        case .invalid(let reason): return .dropped(reason)
        case .none: break
        }
        return .arrival(.message(message, Delay.stamp(in: message.extensions)))
    }

    private static func presence(_ presence: Presence) -> InboundStanza { .arrival(.presence(presence)) }

    private static func iq(_ iq: IQ, _ own: JID) -> InboundStanza {
        guard iq.kind == .get || iq.kind == .set else { return .response(iq) }
        let payload = iq.payload ?? XMLElement("", "")
        switch (iq.kind, payload.namespace) {
        case (.get, Ping.namespace): return .request(iq.result(), nil)
        case (.get, DiscoInfo.namespace): return disco(iq, node: payload["node"])
        case (.set, Roster.namespace):
            guard let roster = Roster.push(iq, own: own) else {
                return .dropped("roster push from a different sender")
            }
            return .request(iq.result(), .roster(roster))
        case (.set, Blocking.namespace):
            guard let change = Blocking.push(iq, own: own) else {
                return .dropped("block push from a different sender")
            }
            return .request(iq.result(), .blocking(change))
        case (.set, Jingle.namespace), (.set, InBandBytestream.namespace): return .arrival(.transfer(iq))
        default: return .request(iq.refusal(StanzaError(.cancel, "service-unavailable")), nil)
        }
    }

    private static func disco(_ iq: IQ, node: String?) -> InboundStanza {
        let own = Capabilities(node: OwnCapabilities.node, of: OwnCapabilities.info)
        guard node == nil || node == "\(own.node)#\(own.version)" else {
            return .request(iq.refusal(StanzaError(.cancel, "item-not-found")), nil)
        }
        return .request(iq.result(OwnCapabilities.info.element(node: node)), nil)
    }
}
