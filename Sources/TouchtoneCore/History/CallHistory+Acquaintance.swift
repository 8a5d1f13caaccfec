// SPDX-License-Identifier: GPL-3.0-or-later

// The calls with one far end, or with one contact.
extension CallHistory {
    /// The greatest number of entries that are compared with a caller.
    private static let maximumCompared = 100
    /// The greatest number of a contact's numbers and addresses that are looked up.
    private static let maximumMethods = 10
    /// The greatest number of calls that stand in a conversation, in round figures.
    private static let maximumShown = 500

    /// Returns the last call with a contact; nil if there is none, or it cannot be read.
    public func lastCall(with card: ContactCard) async -> PastCall? {
        var last: HistoryEntry?
        for method in card.methods.prefix(Self.maximumMethods) {
            guard let search = FarEndSearch(method.remote) else { continue }
            guard let found = try? await store.entries(search.query, below: nil, count: Self.maximumCompared)
            else { return nil }
            if let call = found.first(where: search.finds), call.id > last?.id ?? .min { last = call }
        }
        return last?.call
    }

    /// Returns the calls with a far end in the order of their beginning; empty if they cannot be read.
    ///
    /// - Parameter time: The beginning of the time that matters; older calls may be missing. Nil is that of all times.
    public func calls(with remote: RemoteParty, since time: ChatTime?) async -> [HistoryEntry] {
        guard let search = FarEndSearch(remote) else { return [] }
        var found: [HistoryEntry] = []
        var below: Int64?
        repeat {
            guard let page = try? await store.entries(search.query, below: below, count: Self.maximumCompared)
            else { return [] }
            found += page.filter(search.finds)
            guard page.count == Self.maximumCompared, let last = page.last else { break }
            if let time, last.call.began < time { break }
            below = last.id
        } while found.count < Self.maximumShown
        return found.newestFirst.reversed()
    }

    /// Returns whether the user has called a party before, or has answered its call.
    ///
    /// Calls that were not answered do not count: a stranger would be known after the first attempt. If the history
    /// cannot be read, everybody is known, so that no call is lost.
    public func knows(_ remote: RemoteParty) async -> Bool {
        guard let search = FarEndSearch(remote) else { return false }
        do throws(StoreError) {
            let found = try await store.entries(search.query, below: nil, count: Self.maximumCompared)
            return found.contains { entry in
                guard entry.call.direction == .outgoing || entry.call.seconds != nil else { return false }
                return search.finds(entry) || NumberKey.isSame(entry.call.remote.number, remote.number)
            }
        } catch {
            note(error)
            return true
        }
    }

    /// Returns whether text of an earlier call with a party is kept; false if the history cannot be read.
    public func hadText(with remote: RemoteParty) async -> Bool {
        guard let search = FarEndSearch(remote) else { return false }
        let found = try? await store.entries(search.query, below: nil, count: Self.maximumCompared)
        return found?.contains { $0.hasText && search.finds($0) } ?? false
    }
}

/// A search for the calls with one far end: the store compares texts, of which some belong to others.
private struct FarEndSearch {
    let query: HistoryQuery
    private let number: DialledNumber
    private let address: String?

    /// Returns nil for a far end without a number and an address.
    init?(_ remote: RemoteParty) {
        let key = NumberKey(remote.number)
        (number, address) = (remote.number, CallAddress.key(remote.address))
        guard let text = address ?? key?.text else { return nil }
        query = HistoryQuery(text: text, numbers: key.map { [$0] } ?? [])
    }

    /// Returns whether a call is one with the far end, by its address if it has one.
    func finds(_ entry: HistoryEntry) -> Bool {
        let other = entry.call.remote
        if let address { return CallAddress.key(other.address) == address }
        return NumberKey.isSame(other.number, number)
    }
}

extension ContactMethod {
    /// The far end of a call by the method, without either if it cannot be called.
    fileprivate var remote: RemoteParty {
        RemoteParty(number ?? DialledNumber(), address: number == nil ? callAddress?.text ?? "" : "")
    }
}
