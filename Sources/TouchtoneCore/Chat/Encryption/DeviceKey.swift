// SPDX-License-Identifier: GPL-3.0-or-later

/// The trust in the key of a device (XEP-0384 section 8, XEP-0450 for the words).
public enum KeyTrust: Int, Hashable, Sendable, CaseIterable {
    /// Nobody has decided: another key of its owner is verified, so that this one asks.
    case undecided
    /// No key of its owner is verified, so that each is trusted.
    case blind
    /// The user has compared the fingerprint with its owner’s.
    case verified
    case distrusted
    /// The user has compared the fingerprint, and has switched the device off since: switched on again, it is verified.
    case setAside

    /// Whether messages are encrypted for the device.
    public var isTrusted: Bool { self == .blind || self == .verified }

    /// Returns the trust after the user has switched the device on or off.
    public func switched(_ isOn: Bool) -> KeyTrust {
        let isCompared = self == .verified || self == .setAside
        return isOn ? (isCompared ? .verified : .blind) : isCompared ? .setAside : .distrusted
    }
}

/// The address of a device: that of its account, and its number there.
public struct DeviceAddress: Hashable, Sendable, Comparable {
    public let account: ChatAddress
    /// The number that the device chose, from 1 to 2³¹ − 1.
    public let device: UInt32

    public init(_ account: ChatAddress, _ device: UInt32) { (self.account, self.device) = (account, device) }

    public static func < (left: DeviceAddress, right: DeviceAddress) -> Bool {
        (left.account, left.device) < (right.account, right.device)
    }

    /// The numbers that a device may have: the library keeps them as signed ones.
    public static let numbers: ClosedRange<UInt32> = 1...UInt32(Int32.max)

    /// Returns whether a number can be that of a device.
    public static func isValid(_ device: UInt32) -> Bool { numbers.contains(device) }
}

/// A device that encrypts, as far as it is known.
public struct DeviceKey: Hashable, Sendable, Identifiable {
    public let address: DeviceAddress
    /// The public key without its type, 32 bytes; nil until it is known.
    public let key: [UInt8]?
    public let trust: KeyTrust
    /// Whether its owner’s list has the device.
    public let isActive: Bool
    /// Whether the device is this one.
    public let isThis: Bool
    public let firstSeen: ChatTime
    /// The time of the device’s last message; nil if it has sent none.
    public let lastSeen: ChatTime?
    /// The name that the user gave the device; empty for none.
    public let label: String

    public init(
        _ address: DeviceAddress, key: [UInt8]?, trust: KeyTrust, isActive: Bool, isThis: Bool = false,
        firstSeen: ChatTime, lastSeen: ChatTime? = nil, label: String = ""
    ) {
        (self.address, self.key, self.trust) = (address, key, trust)
        (self.isActive, self.isThis, self.label) = (isActive, isThis, label)
        (self.firstSeen, self.lastSeen) = (firstSeen, lastSeen)
    }

    public var id: DeviceAddress { address }

    /// The fingerprint for the comparison by people: eight groups of eight hexadecimal digits; empty until the key is known.
    public var fingerprint: String { key.map(Self.fingerprint) ?? "" }

    public static func fingerprint(of key: [UInt8]) -> String {
        let digits = Hexadecimal.digits(of: key)
        return stride(from: 0, to: digits.count, by: 8).map { String(digits.dropFirst($0).prefix(8)) }
            .joined(separator: " ")
    }
}
