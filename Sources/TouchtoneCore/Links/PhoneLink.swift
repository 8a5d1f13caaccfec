// SPDX-License-Identifier: GPL-3.0-or-later

public enum PhoneLink: Hashable, Sendable {
    case tel(TelURI)
    case sip(SIPURI)
    /// A `sip:` link with a user and no host, which the phone completes; its text.
    case sipUser(String)
    case xmpp(XMPPURI)

    /// Parses a link; the error's message is a sentence for the user.
    public init(_ text: String) throws(Unreadable) {
        do {
            if XMPPURI.hasScheme(text) {
                self = .xmpp(try XMPPURI(text))
            } else if SIPURI.hasScheme(text) {
                if let user = SIPURI.user(inLink: text) {
                    self = .sipUser(user.link)
                } else {
                    self = .sip(try SIPURI(text))
                }
            } else {
                self = .tel(try TelURI(text))
            }
        } catch let error as SIPURIError {
            throw Unreadable(message: error.message)
        } catch let error as XMPPURIError {
            throw Unreadable(message: error.message)
        } catch let error as TelURIError {
            throw Unreadable(message: error.message)
        } catch {
            throw Unreadable(message: "\(error)")
        }
    }

    public struct Unreadable: Error, Hashable, Sendable {
        /// The reason, as a sentence for the user.
        public let message: String
    }

    /// The normalized text of the link.
    public var text: String {
        switch self {
        case .tel(let link): link.text
        case .sip(let link): link.text
        case .sipUser(let link): link
        case .xmpp(let link): link.text
        }
    }
}
