// SPDX-License-Identifier: GPL-3.0-or-later

public import HelperMessages

public enum SIPHelper: HelperKind {
    public typealias Configuration = SIPConfiguration
    public typealias Command = SIPCommand
    public typealias Event = SIPEvent

    public static let program = "touchtone-sip"
    public static let version = 17
}
