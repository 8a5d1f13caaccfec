// SPDX-License-Identifier: GPL-3.0-or-later

// MARK: - Roster

extension Chat {
    /// Returns the normalized address that a text stands for; nil if the text is not an address.
    public func address(_ text: String) -> ChatAddress? {
        for service in services {
            if let address = service.address(text) { return address }
        }
        return nil
    }

    var gatewayService: (any GatewayService)? { services.lazy.compactMap(\.gateway).first }

    /// Adds a buddy by a typed address or number, and requests its presence; an empty name shows the address.
    ///
    /// - Parameter token: The token of the buddy’s invitation; empty for none.
    public func add(_ text: String, name: String, invitation token: String = "")
        async throws(ChatServiceError)
    {
        await connectionSettled()
        let address = try await addressToAdd(text)
        guard address != .operatorAddress else {
            throw .refused(localized("The Operator is already in your list."))
        }
        try await roster(of: address).add(address, name: name, invitation: token)
        buddies.removeRequest(address)
    }

    /// Asks a buddy again for the presence, which it does not show.
    public func askForPresence(of buddy: ChatAddress) async throws(ChatServiceError) {
        let name = buddies.buddy(at: buddy)?.record?.name ?? ""
        try await roster(of: buddy).add(buddy, name: name, invitation: "")
    }

    /// Renames a buddy; an empty name shows the address.
    public func rename(_ buddy: ChatAddress, _ name: String) async throws(ChatServiceError) {
        try await roster(of: buddy).rename(buddy, name)
    }

    /// Removes a buddy from the roster; the messages are kept, and can still be searched.
    public func remove(_ buddy: ChatAddress) async throws(ChatServiceError) {
        try await roster(of: buddy).remove(buddy)
        hide(buddy)
        buddies.remove(buddy)
    }

    public func setBlocked(_ isBlocked: Bool, _ buddy: ChatAddress) async throws(ChatServiceError) {
        try await roster(of: buddy).setBlocked(isBlocked, buddy)
        if isBlocked { buddies.removeRequest(buddy) }
    }

    /// Accepts or declines a request to see the user’s presence.
    public func answerRequest(of buddy: ChatAddress, accept: Bool) async throws(ChatServiceError) {
        try await roster(of: buddy).answerRequest(of: buddy, accept: accept)
        buddies.removeRequest(buddy)
    }

    /// The user’s published picture, as an image file; nil if there is none, or it is not known yet.
    public var ownPicture: [UInt8]? { account.flatMap { buddies.picture(of: $0) } }

    /// Publishes the user’s picture, a PNG file; nil removes it.
    public func setPicture(_ picture: [UInt8]?) async throws(ChatServiceError) {
        guard let account else { throw .unsupported }
        guard state == .online else { throw .offline }
        guard let profiles = service(of: account)?.profiles else { throw .unsupported }
        try await profiles.setPicture(picture)
    }

    /// Returns the address that a text stands for, also through the gateway.
    private func addressToAdd(_ text: String) async throws(ChatServiceError) -> ChatAddress {
        if let address = address(text) { return address }
        guard let number = NumberConversations.number(in: text) else {
            throw .refused(
                localized("That is neither a Jabber address nor a phone number. Example: grace@example.org"))
        }
        do throws(NumberError) {
            return try await numbers.address(of: number)
        } catch {
            throw .refused(error.text)
        }
    }

    private func roster(of buddy: ChatAddress) throws(ChatServiceError) -> any RosterService {
        guard let roster = service(of: buddy)?.roster else { throw .unsupported }
        return roster
    }
}
