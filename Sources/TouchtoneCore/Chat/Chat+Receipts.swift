// SPDX-License-Identifier: GPL-3.0-or-later

/// Delivery receipts (XEP-0184) and read markers (XEP-0333), which only those get who see the user’s presence; and what the
/// user’s own devices tell each other.
extension Chat {
    func confirmArrival(of message: ChatMessage) {
        guard message.receiptRequests.contains(.receipt), mayConfirm(to: message.buddy) else { return }
        service(of: message.buddy)?.messages.confirmArrival(of: message)
    }

    /// Saves that the messages up to a place were seen, tells the user’s other devices, and sends the read marker that the
    /// last of them requests.
    func see(_ buddy: ChatAddress, upTo place: Int64, completion: @escaping @MainActor (StoreError?) -> Void)
    {
        keep([.seen(buddy: buddy, upTo: .place(place))], completion) { [self] changes in
            let seen = changes.changed.filter { $0.sender != .me }
            if let last = seen.last(where: { $0.archiveName != nil }) {
                service(of: buddy)?.messages.shareReading(upTo: last)
            }
            guard mayConfirm(to: buddy),
                let last = seen.last(where: { $0.receiptRequests.contains(.marker) })
            else { return }
            service(of: buddy)?.messages.confirmReading(of: last)
        }
    }

    /// Returns whether the other side may learn that the user has a message, or has seen it.
    ///
    /// The people in a room see the user’s presence there. The service decides in which rooms messages are confirmed.
    private func mayConfirm(to buddy: ChatAddress) -> Bool {
        buddies.isTold(buddy) || buddies.row(of: buddy.room)?.room != nil
    }
}
