// SPDX-License-Identifier: GPL-3.0-or-later

/// A request of a session between two devices (XEP-0166).
struct Jingle: Hashable, Sendable {
    static let namespace = "urn:xmpp:jingle:1"
    /// The greatest length of an identifier, in bytes.
    static let maximumNameLength = 256

    /// The purpose of a request; only these are used or answered.
    enum Action: String, Sendable {
        case initiate = "session-initiate"
        case accept = "session-accept"
        case info = "session-info"
        case transportInfo = "transport-info"
        case terminate = "session-terminate"
        case contentAdd = "content-add"
        case contentModify = "content-modify"
        case contentReject = "content-reject"
        case descriptionInfo = "description-info"
    }

    /// The reason of a `terminate` (XEP-0166 section 7.4).
    enum Reason: String, Sendable {
        case busy, cancel, decline, expired, gone, success, timeout
        case alternativeSession = "alternative-session"
        case connectivityError = "connectivity-error"
        case failedApplication = "failed-application"
        case failedTransport = "failed-transport"
        case generalError = "general-error"
        case incompatibleParameters = "incompatible-parameters"
        case mediaError = "media-error"
        case securityError = "security-error"
        case unsupportedApplications = "unsupported-applications"
        case unsupportedTransports = "unsupported-transports"

        var element: XMLElement {
            XMLElement("reason", Jingle.namespace, [:], [XMLElement(rawValue, Jingle.namespace)])
        }
    }

    /// A condition of stanza errors about sessions (XEP-0166 section 10).
    enum Problem: String {
        case outOfOrder = "out-of-order"
        case unknownSession = "unknown-session"
        case unsupportedInfo = "unsupported-info"

        var element: XMLElement { XMLElement(rawValue, "urn:xmpp:jingle:errors:1") }
    }

    /// The purpose; nil for one that is not supported.
    let action: Action?
    /// The identifier that the initiator gave the session.
    let sid: String
    let children: [XMLElement]

    init?(_ element: XMLElement) {
        guard element.isNamed("jingle", Self.namespace), let sid = element["sid"].flatMap(Self.bounded),
            let action = element["action"]
        else { return nil }
        self.action = Action(rawValue: action)
        (self.sid, children) = (sid, element.children)
    }

    var contents: [XMLElement] { children.filter { $0.isNamed("content", Self.namespace) } }

    /// The messages of other protocols.
    var messages: [XMLElement] { children.filter { $0.namespace != Self.namespace } }

    /// The reason of a `terminate`; nil if it is missing or not known.
    var reason: Reason? { Self.reason(in: children) }

    /// Returns the first reason in elements; nil if it is missing or not known.
    static func reason(in elements: [XMLElement]) -> Reason? {
        elements.first { $0.isNamed("reason", namespace) }?.children.lazy.compactMap {
            Reason(rawValue: $0.name)
        }.first
    }

    /// Returns an identifier; nil if it is empty or too long.
    static func bounded(_ name: String) -> String? {
        name.isEmpty || name.utf8.count > maximumNameLength ? nil : name
    }

    /// - Parameter party: The name and the value of the attribute for the sender: `initiator` or `responder`.
    static func request(
        _ action: Action, sid: String, party: (name: String, jid: JID?)? = nil, _ children: [XMLElement]
    ) -> XMLElement {
        var element = XMLElement("jingle", namespace, ["action": action.rawValue], children)
        if let party, let jid = party.jid { element[party.name] = jid.description }
        element["sid"] = sid
        return element
    }

    static func terminate(_ reason: Reason, sid: String) -> XMLElement {
        request(.terminate, sid: sid, [reason.element])
    }

    /// Creates the content of a session in which the initiator sends.
    static func content(_ name: String, _ children: [XMLElement]) -> XMLElement {
        XMLElement(
            "content", namespace, ["creator": "initiator", "name": name, "senders": "initiator"], children)
    }
}
