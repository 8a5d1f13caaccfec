// SPDX-License-Identifier: GPL-3.0-or-later

/// A SIP account with the settings that differ from the usual ones; those that are empty are as usual.
public struct TelephoneSetup: Hashable, Sendable {
    /// The address, `sip:user@domain`.
    public var address: String
    public var password = ""
    /// The name for authentication.
    public var user = ""
    /// The registrar, as a host or a SIP address.
    public var server = ""
    /// `tls`, `tcp` or `udp`.
    public var transport = ""
    /// `required`, `offered` or `off`.
    public var encryption = ""
    /// `automatic`, `rfc4733` or `info`.
    public var keys = ""
    public var voicemail = ""
    /// The seconds for which a registration is requested; nil is as usual.
    public var expiry: UInt32?

    public init(address: String) { self.address = address }
}

/// A Jabber account, with the label that is shown for it.
public struct JabberSetup: Hashable, Sendable {
    public var details: AccountDetails
    public var password = ""
    public var label = ""

    public init(_ details: AccountDetails) { self.details = details }
}
