// SPDX-License-Identifier: GPL-3.0-or-later

/// What a server keeps of messages (XEP-0313).
public enum Archive {
    static let namespace = "urn:xmpp:mam:2"
    /// The most messages of a page.
    public static let maximumPerPage = 250

    /// A message that was kept.
    public struct Item: Hashable, Sendable {
        /// What the archive names it by.
        public let id: String
        /// When it was kept.
        public let stamp: Timestamp
        /// The message.
        public let message: Message
    }

    /// Part of what was kept, in order.
    public struct Page: Hashable, Sendable {
        /// The messages.
        public let items: [Item]
        /// Whether there are no more in that direction.
        public let isComplete: Bool
        /// How the page lies in the whole.
        public let set: ResultSet
        /// The archive's names of the first and the last result of the page, even of unreadable ones; nil if the page
        /// is empty.
        public let first, last: String?

        /// Creates a page.
        ///
        /// - Parameter names: what the archive names the first and the last of the page by, read or not.
        init(items: [Item], isComplete: Bool, set: ResultSet, names: (first: String, last: String)? = nil) {
            self.items = items
            self.isComplete = isComplete
            self.set = set
            first = set.first ?? names?.first ?? items.first?.id
            last = set.last ?? names?.last ?? items.last?.id
        }
    }

    /// What is wanted.
    public struct Query: Hashable, Sendable {
        /// Only those to and from this one; nil is all.
        public var with: JID?
        /// Only those since then.
        public var start: Timestamp?
        /// Only those until then.
        public var end: Timestamp?
        /// Which page.
        public var page: ResultSet.Start
        /// The most messages, up to `maximumPerPage`.
        public var maximum = 50

        /// Creates a query.
        public init(_ page: ResultSet.Start, with: JID? = nil) {
            self.page = page
            self.with = with
        }

        func element(id: String) -> XMLElement {
            XMLElement(
                "query", Archive.namespace, ["queryid": id],
                [
                    DataForm.submission(
                        Archive.namespace,
                        [
                            ("with", with?.description), ("start", start?.description),
                            ("end", end?.description),
                        ]),
                    ResultSet.request(page, maximum: max(1, min(maximum, Archive.maximumPerPage))),
                ])
        }
    }

    /// The result in a message; nil where there is none.
    static func result(in message: Message) -> XMLElement? { message.extension(namespace, "result") }
}

/// The queries that are under way, and what they brought.
///
/// A result counts only if it answers such a query, and comes from the archive that was asked (section 4.2).
@MainActor
final class ArchiveQueries {
    private struct Open {
        let archive: JID?
        let maximum: Int
        var items: [Archive.Item] = []
        var names: (first: String, last: String)?

        mutating func note(_ name: String) { names = (names?.first ?? name, name) }
    }

    private var open: [String: Open] = [:]

    /// Begins a query.
    func begin(_ id: String, archive: JID?, maximum: Int) {
        open[id] = Open(archive: archive, maximum: maximum)
    }

    /// Ends a query, and gives what it brought, and the names of the first result and the last, read or not.
    func end(_ id: String) -> (items: [Archive.Item], names: (first: String, last: String)?) {
        let query = open.removeValue(forKey: id)
        return (query?.items ?? [], query?.names)
    }

    /// Takes a result that can't be read: the page goes on after it.
    func skip(_ result: XMLElement, from sender: JID?, own: JID) {
        guard let id = result["queryid"], var query = open[id], let name = result["id"],
            IQTracker.mayAnswer(sender, for: query.archive, own: own)
        else { return }
        query.note(name)
        open[id] = query
    }

    /// Takes a result; gives the reason where it is not taken.
    func take(_ result: XMLElement, from sender: JID?, own: JID) -> String? {
        guard let id = result["queryid"], var query = open[id] else {
            return "a result that was not asked for"
        }
        guard IQTracker.mayAnswer(sender, for: query.archive, own: own) else {
            return "a result from another"
        }
        guard query.items.count < query.maximum else { return "more results than were asked for" }
        guard let name = result["id"] else { return "a result of nothing" }
        query.note(name)
        defer { open[id] = query }
        guard let inner = Forwarded(in: result), let stamp = inner.stamp else { return "a result of nothing" }
        query.items.append(Archive.Item(id: name, stamp: stamp, message: inner.message))
        return nil
    }
}

extension XMPPClient {
    /// Asks for a page of what was kept.
    ///
    /// - Parameter archive: whose; nil is the own account's, a room's address its.
    public func archive(_ query: Archive.Query, of archive: JID? = nil) async throws(RequestError)
        -> Archive.Page
    {
        let id = RandomText.make(16)
        archiveQueries.begin(id, archive: archive, maximum: min(query.maximum, Archive.maximumPerPage))
        let answer: XMLElement?
        do {
            answer = try await request(.set, to: archive, query.element(id: id))
        } catch {
            _ = archiveQueries.end(id)
            throw error
        }
        let (items, names) = archiveQueries.end(id)
        guard let answer, answer.isNamed("fin", Archive.namespace) else { throw .implausible }
        return Archive.Page(
            items: items, isComplete: ["true", "1"].contains(answer["complete"]), set: ResultSet(in: answer),
            names: names)
    }
}
