// SPDX-License-Identifier: GPL-3.0-or-later

public import HelperMessages

/// The helper that runs the SIP engine.
public enum SIPHelper: HelperKind {
    public typealias Configuration = SIPConfiguration
    public typealias Command = SIPCommand
    public typealias Event = SIPEvent

    public static let program = "touchtone-sip"
    public static let version = 10
}
