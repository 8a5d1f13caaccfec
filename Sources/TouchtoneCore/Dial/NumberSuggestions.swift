// SPDX-License-Identifier: GPL-3.0-or-later

/// Finds the people that digits may mean, each once, in contacts, buddies and the call history.
@MainActor
public final class NumberSuggestions {
    /// The greatest number of buddies that are suggested, and of numbers from the call history.
    public static let maximumOthers = 3
    /// The number of calls that are compared.
    private static let maximumCompared = 50

    private let contacts: ContactBook
    private let chat: Chat?
    private let history: CallHistory?

    public init(contacts: ContactBook, chat: Chat? = nil, history: CallHistory? = nil) {
        (self.contacts, self.chat, self.history) = (contacts, chat, history)
    }

    /// Returns contacts that the digits may mean, at most `maximum`, the best first, and then the buddies.
    public func people(for number: DialledNumber, maximum: Int) -> [Suggestion] {
        let found = contacts.suggestions(for: number, maximum: maximum)
        guard let chat, number.count >= T9Index.shortest else { return found }
        let known = Set(found.compactMap(\.contact))
        // Thousands of buddies may match, of which only the first ones are shown.
        let buddies = chat.buddies.suggestions(for: number).lazy.filter { buddy in
            if let contact = buddy.contact, known.contains(contact) { return false }
            return !found.contains { NumberKey.isSame($0.number, buddy.number) }
        }
        return found + buddies.prefix(Self.maximumOthers)
    }

    /// Returns numbers in the call history that contain the digits, the last called first, without those of
    /// `people`.
    public func calls(for number: DialledNumber, besides people: [Suggestion]) async -> [Suggestion] {
        guard let history, number.isPlain, number.count >= T9Index.shortest else { return [] }
        var calls: [Suggestion] = []
        for call in await history.calls(with: number, maximum: Self.maximumCompared) {
            let its = call.remote.number
            guard calls.count < Self.maximumOthers, contacts.known(its) == nil,
                !(people + calls).contains(where: { NumberKey.isSame($0.number, its) })
            else { continue }
            calls.append(Suggestion(id: .call(its.text), name: call.remote.displayName, number: its))
        }
        return calls
    }
}

extension CallHistory {
    /// Returns the calls whose number contains digits, the newest first; none if they cannot be read.
    func calls(with number: DialledNumber, maximum: Int) async -> [PastCall] {
        do throws(StoreError) {
            let found = try await store.entries(HistoryQuery(text: number.text), below: nil, count: maximum)
            let typed = IndexedContact.typed(number)
            return found.map(\.call).filter { IndexedContact.typed($0.remote.number).holds(typed) }
        } catch {
            note(error)
            return []
        }
    }
}

extension BuddyList {
    /// Returns the buddies whose name the digits type, or whose number contains them, by name.
    func suggestions(for number: DialledNumber) -> some Sequence<Suggestion> {
        let typed = IndexedContact.typed(number)
        let mayBeName = !number.isInternational && number.isPlain
        return buddies(where: { buddy in
            guard buddy.room == nil, buddy.address != .operatorAddress, buddy.isShown else { return false }
            if mayBeName, buddy.nameText.isTyped(by: typed) { return true }
            return buddy.person.number.map { IndexedContact.typed($0).holds(typed) } ?? false
        }).lazy.map { [folding] buddy in
            Suggestion(
                id: .buddy(buddy.address, buddy.person.contact), name: buddy.name,
                number: buddy.person.number ?? DialledNumber(),
                inName: mayBeName ? T9Name.range(in: buddy.name, typedBy: typed, by: folding) ?? 0..<0 : 0..<0
            )
        }
    }
}
