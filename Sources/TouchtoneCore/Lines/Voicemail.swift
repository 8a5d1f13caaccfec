// SPDX-License-Identifier: GPL-3.0-or-later

/// The voicemail that the provider of a line has for the user.
public struct Voicemail: Hashable, Sendable {
    /// The number of new messages; nil if there are some, and the provider says no number.
    public var newMessages: Int?
    /// The number or address that calls it; nil if none is known.
    public var callee: RemoteParty?

    /// No messages, and no way to call.
    public static let none = Voicemail(newMessages: 0)

    public init(newMessages: Int?, callee: RemoteParty? = nil) {
        (self.newMessages, self.callee) = (newMessages, callee)
    }

    public var hasNewMessages: Bool { newMessages != 0 }
}
