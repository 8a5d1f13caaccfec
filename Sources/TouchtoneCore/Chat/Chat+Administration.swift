// SPDX-License-Identifier: GPL-3.0-or-later

// MARK: - Who there is

extension Chat {
    /// The address that a text means, in its one comparable form; nil for what is none.
    public func address(_ text: String) -> ChatAddress? {
        for service in services {
            if let address = service.address(text) { return address }
        }
        return nil
    }

    /// Adds a buddy by what was typed, and asks for its presence.
    ///
    /// - Parameter name: what I call it; empty is its address.
    public func add(_ text: String, name: String) async throws(ChatServiceError) {
        guard let address = address(text), let service = service(of: address) else {
            throw .refused(localized("That is no address. One looks like grace@example.org."))
        }
        try await service.add(address, name: name)
        buddies.removeRequest(address)
    }

    /// Calls a buddy something else; empty is its address.
    public func rename(_ buddy: ChatAddress, _ name: String) async throws(ChatServiceError) {
        try await serving(buddy).rename(buddy, name)
    }

    /// Removes a buddy from the list.
    ///
    /// What was said stays, and can be searched.
    public func remove(_ buddy: ChatAddress) async throws(ChatServiceError) {
        try await serving(buddy).remove(buddy)
        if selected?.buddy == buddy { select(nil) }
        buddies.remove(buddy)
    }

    /// Hears nothing more of somebody, or hears again.
    public func setBlocked(_ isBlocked: Bool, _ buddy: ChatAddress) async throws(ChatServiceError) {
        try await serving(buddy).setBlocked(isBlocked, buddy)
        if isBlocked { buddies.removeRequest(buddy) }
    }

    /// Answers who wants to see my presence.
    public func answerRequest(of buddy: ChatAddress, accept: Bool) async throws(ChatServiceError) {
        try await serving(buddy).answerRequest(of: buddy, accept: accept)
        buddies.removeRequest(buddy)
    }

    private func serving(_ buddy: ChatAddress) throws(ChatServiceError) -> any ChatService {
        guard let service = service(of: buddy) else { throw .unsupported }
        return service
    }
}
