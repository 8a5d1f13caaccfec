// SPDX-License-Identifier: GPL-3.0-or-later

extension CallHistory {
    /// The greatest number of entries that are compared with a caller.
    private static let maximumCompared = 100

    /// Returns whether the user has called a party before, or has answered its call.
    ///
    /// Calls that were not answered do not count: a stranger would be known after the first attempt. If the history
    /// cannot be read, everybody is known, so that no call is lost.
    public func knows(_ remote: RemoteParty) async -> Bool {
        let (key, address) = (NumberKey(remote.number), IndexedContact.sipKey(remote.address))
        guard let text = address ?? key?.text else { return false }
        do throws(StoreError) {
            let query = HistoryQuery(text: text, numbers: key.map { [$0] } ?? [])
            let found = try await store.entries(query, below: nil, count: Self.maximumCompared)
            return found.contains { entry in
                let (call, other) = (entry.call, entry.call.remote)
                guard call.direction == .outgoing || call.seconds != nil else { return false }
                if let address, IndexedContact.sipKey(other.address) == address { return true }
                return NumberKey.isSame(other.number, remote.number)
            }
        } catch {
            note(error)
            return true
        }
    }
}
