// SPDX-License-Identifier: GPL-3.0-or-later

public import HelperMessages

/// The helper that runs the SIP engine.
public enum SIPHelper: HelperKind {
    /// The settings of the engine.
    public typealias Configuration = SIPConfiguration
    /// The commands to the engine.
    public typealias Command = SIPCommand
    /// The events of the engine.
    public typealias Event = SIPEvent

    /// The name of the program.
    public static let program = "touchtone-sip"
    /// The version of the messages.
    public static let version = 10
}
