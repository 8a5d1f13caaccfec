// SPDX-License-Identifier: GPL-3.0-or-later

/// A link that the phone can open.
public enum PhoneLink: Hashable, Sendable {
    /// A link to a number.
    case tel(TelURI)
    /// A link to an XMPP address.
    case xmpp(XMPPURI)

    /// Parses a link; the error's message is a sentence for the user.
    public init(_ text: String) throws(Unreadable) {
        do {
            self = try XMPPURI.hasScheme(text) ? .xmpp(XMPPURI(text)) : .tel(TelURI(text))
        } catch let error as XMPPURIError {
            throw Unreadable(message: error.message)
        } catch let error as TelURIError {
            throw Unreadable(message: error.message)
        } catch {
            throw Unreadable(message: "\(error)")
        }
    }

    /// An error for a link that the phone cannot open.
    public struct Unreadable: Error, Hashable, Sendable {
        /// The reason, as a sentence for the user.
        public let message: String
    }

    /// The normalized text of the link.
    public var text: String {
        switch self {
        case .tel(let link): link.text
        case .xmpp(let link): link.text
        }
    }
}
