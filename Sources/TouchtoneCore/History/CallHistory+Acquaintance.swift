// SPDX-License-Identifier: GPL-3.0-or-later

extension CallHistory {
    /// The greatest number of entries that are compared with a caller.
    private static let maximumCompared = 100
    /// The greatest number of a contact's numbers and addresses that are looked up.
    private static let maximumMethods = 10

    /// Returns the last call with a contact; nil if there is none, or it cannot be read.
    public func lastCall(with card: ContactCard) async -> PastCall? {
        var last: HistoryEntry?
        for method in card.methods.prefix(Self.maximumMethods) {
            let (number, address) = (
                method.number, method.callAddress.flatMap { CallAddress.key($0.text) }
            )
            let key = number.flatMap { NumberKey($0) }
            guard let text = address ?? key?.text else { continue }
            let query = HistoryQuery(text: text, numbers: key.map { [$0] } ?? [])
            guard let found = try? await store.entries(query, below: nil, count: Self.maximumCompared) else {
                return nil
            }
            let call = found.first { entry in
                if let address { return CallAddress.key(entry.call.remote.address) == address }
                return number.map { NumberKey.isSame(entry.call.remote.number, $0) } ?? false
            }
            if let call, call.id > last?.id ?? .min { last = call }
        }
        return last?.call
    }

    /// Returns whether the user has called a party before, or has answered its call.
    ///
    /// Calls that were not answered do not count: a stranger would be known after the first attempt. If the history
    /// cannot be read, everybody is known, so that no call is lost.
    public func knows(_ remote: RemoteParty) async -> Bool {
        let (key, address) = (NumberKey(remote.number), CallAddress.key(remote.address))
        guard let text = address ?? key?.text else { return false }
        do throws(StoreError) {
            let query = HistoryQuery(text: text, numbers: key.map { [$0] } ?? [])
            let found = try await store.entries(query, below: nil, count: Self.maximumCompared)
            return found.contains { entry in
                let (call, other) = (entry.call, entry.call.remote)
                guard call.direction == .outgoing || call.seconds != nil else { return false }
                if let address, CallAddress.key(other.address) == address { return true }
                return NumberKey.isSame(other.number, remote.number)
            }
        } catch {
            note(error)
            return true
        }
    }
}
