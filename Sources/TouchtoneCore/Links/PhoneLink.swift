// SPDX-License-Identifier: GPL-3.0-or-later

/// A link that the phone opens, of either kind.
public enum PhoneLink: Hashable, Sendable {
    /// To a number.
    case tel(TelURI)
    /// To a person who is written to.
    case xmpp(XMPPURI)

    /// Reads a link; the error is the reason in a sentence for people.
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

    /// Why a link is none of the phone's.
    public struct Unreadable: Error, Hashable, Sendable {
        /// The reason, in a sentence for people.
        public let message: String
    }

    /// The link in one form.
    public var text: String {
        switch self {
        case .tel(let link): link.text
        case .xmpp(let link): link.text
        }
    }
}
