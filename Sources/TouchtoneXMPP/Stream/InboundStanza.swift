// SPDX-License-Identifier: GPL-3.0-or-later

/// Something that came, from one who is entitled to send it.
public enum InboundEvent: Hashable, Sendable {
    /// A message to this account.
    case message(Message, Timestamp?)
    /// A message that another device of this account sent.
    case sentElsewhere(Message, Timestamp?)
    /// Somebody's presence.
    case presence(Presence)
    /// A change in the list of buddies: one item, and the version that it leads to.
    case roster(Roster)
    /// A change in the list of the blocked.
    case blocking(Blocking.Change)
    /// A change in what somebody publishes.
    case published(PubSub.Change)
}

/// What is to be done with a stanza.
enum InboundStanza: Hashable {
    /// It is to be told of.
    case arrival(InboundEvent)
    /// It is a part of an archive's answer: this element.
    case archived(XMLElement, from: JID?)
    /// It is an answer to one of our questions.
    case response(IQ)
    /// It is a question, and this is the answer, with what is to be told of it.
    case request(IQ, InboundEvent?)
    /// It is to be dropped: why.
    case dropped(String)

    /// Reads a stanza that came to this device.
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
            guard let roster = Roster.push(iq, own: own) else { return .dropped("a buddy from another") }
            return .request(iq.result(), .roster(roster))
        case (.set, Blocking.namespace):
            guard let change = Blocking.push(iq, own: own) else { return .dropped("a block from another") }
            return .request(iq.result(), .blocking(change))
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
