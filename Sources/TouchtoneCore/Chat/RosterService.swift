// SPDX-License-Identifier: GPL-3.0-or-later

/// The part of a service that changes its roster and its block list.
@MainActor
public protocol RosterService: AnyObject {
    /// Adds a buddy to the roster, and requests a subscription to its presence.
    ///
    /// - Parameter token: The token of the buddy’s invitation, which it knows (XEP-0379); empty for none.
    func add(_ buddy: ChatAddress, name: String, invitation token: String) async throws(ChatServiceError)
    /// Renames a buddy; an empty name shows the address.
    func rename(_ buddy: ChatAddress, _ name: String) async throws(ChatServiceError)
    /// Removes a buddy from the roster, and ends both presence subscriptions. The conversation is kept.
    func remove(_ buddy: ChatAddress) async throws(ChatServiceError)
    func setBlocked(_ isBlocked: Bool, _ buddy: ChatAddress) async throws(ChatServiceError)
    /// Tells the user’s other devices whether a person is muted, now or once there is a connection.
    func setMuted(_ isMuted: Bool, _ buddy: ChatAddress)
    /// Accepts or declines a request to see the user’s presence.
    func answerRequest(of buddy: ChatAddress, accept: Bool) async throws(ChatServiceError)
}
