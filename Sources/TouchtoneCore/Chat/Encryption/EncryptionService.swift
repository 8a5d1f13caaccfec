// SPDX-License-Identifier: GPL-3.0-or-later

/// The encryption of a service’s conversations.
@MainActor
public protocol EncryptionService: AnyObject {
    /// Whether conversations without a choice are encrypted if the buddy has keys.
    var isAutomatic: Bool { get set }
    /// Decides whether what is sent now to a conversation without a choice of the user’s is encrypted, and reports it
    /// as `.encryptionBegan` if it is; nil if that cannot be known now.
    func decide(for buddy: ChatAddress) async -> Bool?
    /// Learns whether a conversation can be encrypted, and reports it as `.encryption`.
    func learn(of buddy: ChatAddress)
    /// Asks again for what is in the way of waiting messages, and sends them if nothing is any more.
    func retry(_ buddy: ChatAddress)
    /// Returns the devices of the conversation’s other side, by account, and those of the user’s account last.
    func devices(in buddy: ChatAddress) async throws(StoreError) -> [DeviceKey]
    func setTrust(_ trust: KeyTrust, in device: DeviceKey) async throws(StoreError)
    func setLabel(_ label: String, of device: DeviceKey) async throws(StoreError)
    /// Takes one of the user’s own other devices off the list on the server, with its keys.
    func remove(_ device: DeviceKey) async throws(ChatServiceError)
    /// Drops all sessions with a buddy, and begins new ones.
    func startAnew(with buddy: ChatAddress) async throws(StoreError)
}

/// Whether a conversation can be encrypted.
public enum EncryptionSupport: Hashable, Sendable {
    /// It is not known yet.
    case unknown
    case possible(KeySummary)
    /// It cannot.
    case impossible(Reason)

    public enum Reason: Hashable, Sendable {
        /// The buddy has no device that encrypts.
        case noKeys
        /// Anybody may enter the room, or its members hide their addresses.
        case openRoom
        /// A phone number, reached by a gateway that reads the texts, or the Operator.
        case gateway
        /// The user’s server does not keep keys.
        case server
    }
}

/// A summary of the keys of a conversation’s other side.
public struct KeySummary: Hashable, Sendable {
    /// The numbers of active devices with a known key, by trust.
    public let counts: [KeyTrust: Int]
    public init(_ counts: [KeyTrust: Int]) { self.counts = counts }

    /// Whether all keys for which messages are encrypted are verified.
    public var isVerified: Bool { counts[.verified, default: 0] > 0 && counts[.blind, default: 0] == 0 }
    public var undecided: Int { counts[.undecided, default: 0] }
}
