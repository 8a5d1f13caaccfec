// SPDX-License-Identifier: GPL-3.0-or-later

extension Chat {
    /// The greatest number of conversations of a contact that are compared.
    private static let maximumCompared = 20

    /// Returns the addresses of the conversations with a contact: its Jabber addresses, and its numbers at the gateway.
    func addresses(of card: ContactCard) -> [ChatAddress] {
        let own = card.methods.filter { $0.kind == .xmpp }.compactMap { address($0.text) }
        let numbers = card.methods.compactMap(\.number)
        let texted = buddies.addresses.filter { address in
            self.numbers.number(of: address).map { number in
                numbers.contains { NumberKey.isSame($0, number) }
            } ?? false
        }
        return own + texted.sorted()
    }

    /// Returns the last message in the conversations with a contact; nil if there is none, or it cannot be read.
    public func lastMessage(with card: ContactCard) async -> ChatMessage? {
        var last: ChatMessage?
        for address in addresses(of: card).prefix(Self.maximumCompared) {
            guard let message = try? await store.messages(of: address, before: nil, count: 1).last,
                message.time > last?.time ?? ChatTime(milliseconds: .min)
            else { continue }
            last = message
        }
        return last
    }
}
