// SPDX-License-Identifier: GPL-3.0-or-later

/// A message about a call, which all devices of the called party get (XEP-0353).
struct CallMessage: Hashable, Sendable {
    static let namespace = "urn:xmpp:jingle-message:0"

    enum Content: Hashable, Sendable {
        /// A call is offered, with these media, such as `audio`.
        case propose(media: Set<String>)
        /// A device of the called party rings.
        case ringing
        /// A device takes the call, and expects its session.
        case proceed
        /// A device takes the call: for the other devices of its account.
        case accept
        case reject(Jingle.Reason?)
        /// The caller has given up.
        case retract(Jingle.Reason?)
        case finish(Jingle.Reason?)
    }

    let content: Content
    /// The identifier of the call, which its session has, too.
    let id: String

    init(_ content: Content, id: String) { (self.content, self.id) = (content, id) }

    /// Reads the element of a message; nil for another one, without an identifier, or with one that is too long.
    init?(_ element: XMLElement) {
        guard element.namespace == Self.namespace, let id = element["id"].flatMap(Jingle.bounded) else {
            return nil
        }
        let reason = Jingle.reason(in: element.children)
        let content: Content
        switch element.name {
        case "propose":
            let media = element.children("description", AudioContent.namespace).compactMap { $0["media"] }
            content = .propose(media: Set(media))
        case "ringing": content = .ringing
        case "proceed": content = .proceed
        case "accept": content = .accept
        case "reject": content = .reject(reason)
        case "retract": content = .retract(reason)
        case "finish": content = .finish(reason)
        default: return nil
        }
        self.init(content, id: id)
    }

    var element: XMLElement {
        func element(_ name: String, _ reason: Jingle.Reason? = nil) -> XMLElement {
            XMLElement(name, Self.namespace, ["id": id], reason.map { [$0.element] } ?? [])
        }
        switch content {
        case .propose(let media):
            var propose = element("propose")
            for medium in media.sorted() {
                propose.append(XMLElement("description", AudioContent.namespace, ["media": medium]))
            }
            return propose
        case .ringing: return element("ringing")
        case .proceed: return element("proceed")
        case .accept: return element("accept")
        case .reject(let reason): return element("reject", reason)
        case .retract(let reason): return element("retract", reason)
        case .finish(let reason): return element("finish", reason)
        }
    }
}
