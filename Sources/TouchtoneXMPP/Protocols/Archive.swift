// SPDX-License-Identifier: GPL-3.0-or-later

/// A server's message archive (XEP-0313).
enum Archive {
    static let namespace = "urn:xmpp:mam:2"
    static let maximumPerPage = 250

    struct Item: Hashable, Sendable {
        let id: String
        let stamp: Timestamp
        let message: Message
    }

    /// A page of archived messages, in order.
    struct Page: Hashable, Sendable {
        let items: [Item]
        /// Whether there are no more messages in the direction of the query.
        let isComplete: Bool
        let set: ResultSet
        /// The ids of the first and the last result, including unreadable ones; nil if the page is empty.
        let first, last: String?

        /// - Parameter names: The ids of the first and the last result, including unreadable ones.
        init(items: [Item], isComplete: Bool, set: ResultSet, names: (first: String, last: String)? = nil) {
            self.items = items
            self.isComplete = isComplete
            self.set = set
            first = set.first ?? names?.first ?? items.first?.id
            last = set.last ?? names?.last ?? items.last?.id
        }
    }

    struct Query: Hashable, Sendable {
        /// The address that messages are to or from; nil for all.
        var with: JID?
        var start: Timestamp?
        var page: ResultSet.Start
        /// The greatest number of messages, up to `maximumPerPage`.
        var maximum = 50

        init(_ page: ResultSet.Start, with: JID? = nil) {
            self.page = page
            self.with = with
        }

        func element(id: String) -> XMLElement {
            let limit = ResultSet.request(page, maximum: max(1, min(maximum, Archive.maximumPerPage)))
            // Some servers limit the bytes of a second, which a form without a filter would waste.
            guard with != nil || start != nil else {
                return XMLElement("query", Archive.namespace, ["queryid": id], [limit])
            }
            let filter = DataForm.submission(
                Archive.namespace, [("with", with?.description), ("start", start?.description)])
            return XMLElement("query", Archive.namespace, ["queryid": id], [filter, limit])
        }
    }

    static func result(in message: Message) -> XMLElement? { message.extension(namespace, "result") }
}

/// The pending queries and their results, which count only from the queried archive (XEP-0313 section 4.2).
@MainActor
final class ArchiveQueries {
    struct Results {
        fileprivate let archive: JID?
        fileprivate let maximum: Int
        fileprivate(set) var items: [Archive.Item] = []
        /// The ids of the first and the last result, including unreadable ones.
        fileprivate(set) var names: (first: String, last: String)?
        /// Whether the archive has sent more than it was asked for, which was dropped.
        fileprivate(set) var isCut = false

        fileprivate mutating func note(_ name: String) { names = (names?.first ?? name, name) }
    }

    private var open: [String: Results] = [:]

    func begin(_ id: String, archive: JID?, maximum: Int) {
        open[id] = Results(archive: archive, maximum: maximum)
    }

    func end(_ id: String) -> Results? { open.removeValue(forKey: id) }

    private static func name(of result: XMLElement) -> String? { result["id"].flatMap(MessageReader.bounded) }

    /// Handles a result that cannot be read: the next page starts after it.
    func skip(_ result: XMLElement, from sender: JID?, own: JID) {
        guard let id = result["queryid"], let archive = open[id].map(\.archive),
            let name = Self.name(of: result), IQTracker.mayAnswer(sender, for: archive, own: own)
        else { return }
        open[id]?.note(name)
    }

    /// Handles a result; returns the reason if it is dropped.
    func handle(_ result: XMLElement, from sender: JID?, own: JID) -> String? {
        guard let id = result["queryid"],
            let (archive, isFull) = open[id].map({ ($0.archive, $0.items.count >= $0.maximum) })
        else { return "unrequested result" }
        guard IQTracker.mayAnswer(sender, for: archive, own: own) else {
            return "result from a different sender"
        }
        guard !isFull else {
            open[id]?.isCut = true
            return "more results than requested"
        }
        guard let name = Self.name(of: result) else { return "result without an id" }
        open[id]?.note(name)
        guard let inner = Forwarded(in: result), let stamp = inner.stamp else { return "empty result" }
        // In its place: a copy of all results for each would take long.
        open[id]?.items.append(Archive.Item(id: name, stamp: stamp, message: inner.message))
        return nil
    }
}

extension XMPPClient {
    /// - Parameter archive: The address of a room; nil for the archive of the user's account.
    func archive(_ query: Archive.Query, of archive: JID? = nil) async throws(RequestError) -> Archive.Page {
        let id = RandomText.make(16)
        archiveQueries.begin(id, archive: archive, maximum: min(query.maximum, Archive.maximumPerPage))
        let response = await Result.of { () throws(RequestError) in
            try await request(.set, to: archive, query.element(id: id))
        }
        let results = archiveQueries.end(id)
        guard let answer = try response.get(), answer.isNamed("fin", Archive.namespace), let results else {
            throw .implausible
        }
        guard results.isCut else {
            return Archive.Page(
                items: results.items, isComplete: ["true", "1"].contains(answer["complete"]),
                set: ResultSet(in: answer), names: results.names)
        }
        // The page ends with the last result that was taken: its end, and not its beginning, was dropped.
        guard case .after = query.page, let names = results.names else { throw .implausible }
        return Archive.Page(items: results.items, isComplete: false, set: ResultSet(), names: names)
    }
}
