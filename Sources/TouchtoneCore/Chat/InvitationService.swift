// SPDX-License-Identifier: GPL-3.0-or-later

/// The part of a service that makes invitations to chat with the user.
@MainActor
public protocol InvitationService: AnyObject {
    /// Makes an invitation for one person, on the account’s server, or here if the server makes none.
    func invite() async throws(ChatServiceError) -> MadeInvitation
}

/// An invitation that the user can pass on.
public struct MadeInvitation: Hashable, Sendable {
    /// The effect of the link on the person who opens it.
    public enum Effect: Hashable, Sendable {
        /// The person gets an account on the user’s server, and is a buddy.
        case account
        /// The person has an account, and the user’s server accepts the request.
        case buddy
        /// The person has an account, and this program accepts the request.
        case buddyWhileOnline
    }

    /// The link, which is an `https:` or an `xmpp:` one in visible ASCII characters.
    public let link: String
    /// The time until which it counts; nil if the server does not tell.
    public let expiry: ChatTime?
    public let effect: Effect

    public init(link: String, expiry: ChatTime?, effect: Effect) {
        (self.link, self.expiry, self.effect) = (link, expiry, effect)
    }
}

extension Chat {
    /// Makes an invitation for one person.
    public func invite() async throws(ChatServiceError) -> MadeInvitation {
        guard let invitations = services.lazy.compactMap(\.invitations).first else { throw .unsupported }
        return try await invitations.invite()
    }
}
