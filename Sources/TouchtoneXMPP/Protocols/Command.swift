// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Commands of an entity (XEP-0050).
enum Command {
    static let namespace = "http://jabber.org/protocol/commands"
    /// The greatest number of an entity's commands that are looked at.
    static let maximumCount = 1000

    /// The state of a command after a request.
    enum Outcome: Hashable {
        /// The values of the fields in the result, by their names.
        case completed([String: String])
        /// The command asks for something more, or failed.
        case unfinished(session: String?)

        /// Reads an answer; nil if it is not one of this command, or is too large.
        init?(_ answer: XMLElement?, node: String) {
            guard let answer, answer.isNamed("command", namespace), answer["node"] == node else { return nil }
            guard answer["status"] == "completed", let form = answer.child("x", DataForm.namespace) else {
                self = .unfinished(session: answer["status"] == "executing" ? answer["sessionid"] : nil)
                return
            }
            let fields = form.children("field")
            guard fields.count <= RoomForm.maximumFields else { return nil }
            var values: [String: String] = [:]
            for field in fields {
                // The first of several fields with the same name counts, as in other forms.
                guard let name = field["var"], values[name] == nil else { continue }
                values[name] = field.child("value")?.text
            }
            self = .completed(values)
        }
    }

    static func request(_ node: String, _ action: String, session: String? = nil) -> XMLElement {
        XMLElement("command", namespace, ["node": node, "action": action, "sessionid": session])
    }
}

extension XMPPClient {
    /// Returns whether an entity lists a command; throws `.refused` if it has none.
    func hasCommand(_ node: String, at jid: JID) async throws(RequestError) -> Bool {
        let query = XMLElement("query", DiscoItem.namespace, ["node": Command.namespace])
        let answer = try await request(.get, to: jid, query)
        guard let answer, answer.isNamed("query", DiscoItem.namespace) else { throw .implausible }
        return answer.children("item").prefix(Command.maximumCount).contains { $0["node"] == node }
    }

    /// Executes a command that takes no values; returns nil if it wants some, or failed.
    func execute(_ node: String, at jid: JID) async throws(RequestError) -> [String: String]? {
        let answer = try await request(.set, to: jid, Command.request(node, "execute"))
        switch Command.Outcome(answer, node: node) {
        case .completed(let values): return values
        case .unfinished(let session?):
            // Whether the server forgets the command makes no difference here.
            requestWithoutWaiting(Command.request(node, "cancel", session: session), to: jid)
            return nil
        case .unfinished(nil): return nil
        case nil: throw .implausible
        }
    }
}
