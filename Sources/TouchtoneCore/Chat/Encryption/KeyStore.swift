// SPDX-License-Identifier: GPL-3.0-or-later

/// The keys of the account’s devices and those of others, beside the messages in the store.
///
/// Sessions change with each message. What a call changes is on the disk when it returns, in one transaction: also the key of
/// the opened message, so that a message which comes again is opened again.
@MainActor
public protocol KeyStore: AnyObject {
    /// Returns this device’s public keys; a device without keys makes them first.
    func ownKeys(at now: ChatTime) async throws(StoreError) -> OwnKeys
    /// Makes this device another one, with a new number and key, because an older copy of its sessions was restored.
    func makeOwnDevice(besides taken: Set<UInt32>, at now: ChatTime) async throws(StoreError) -> OwnKeys
    /// Makes new keys in place of those that were used, and a new signed one in time.
    func replenish(at now: ChatTime) async throws(StoreError) -> OwnKeys

    /// Opens a message.
    ///
    /// - Parameter accounts: The bare addresses of which one is the sender’s.
    func open(_ message: SealedMessage, from accounts: [ChatAddress], at now: ChatTime)
        async throws(StoreError) -> OpenedMessage
    /// Encrypts a text for the trusted devices of accounts, or says what is in the way.
    ///
    /// - Parameter leavesOut: Whether devices that cannot be used, and accounts without any, are left out.
    func seal(_ text: String, for accounts: [ChatAddress], leavesOut: Bool) async throws(StoreError)
        -> Result<SealedMessage, EncryptionObstacle>
    /// Returns a message without a text for one device; nil without a session.
    func sealKeys(for device: DeviceAddress) async throws(StoreError) -> SealedMessage?

    /// Records the list of an account’s devices.
    func setDevices(_ devices: [UInt32], of account: ChatAddress, at now: ChatTime)
        async throws(StoreError)
    /// Returns the devices of an account, the active ones first.
    func devices(of account: ChatAddress) async throws(StoreError) -> [DeviceKey]
    /// Returns the active devices with which there is no session.
    func devicesWithoutSession(of accounts: [ChatAddress]) async throws(StoreError) -> [DeviceAddress]
    /// Begins a session; returns false if the bundle is not the device’s.
    func begin(with device: DeviceAddress, _ bundle: KeyBundle, at now: ChatTime)
        async throws(StoreError) -> Bool
    func setTrust(_ trust: KeyTrust, in device: DeviceAddress, key: [UInt8]) async throws(StoreError)
    func setLabel(_ label: String, of device: DeviceAddress) async throws(StoreError)
    /// Drops the sessions with an account’s devices.
    func dropSessions(with account: ChatAddress) async throws(StoreError)
    /// Removes all keys and sessions of the user’s account, with what is known of the devices of others.
    func forgetKeys(of own: ChatAddress)
    /// Returns what the user has chosen for a conversation.
    func encryptionChoice(of buddy: ChatAddress) async throws(StoreError) -> EncryptionChoice
}

/// The keys that this device publishes.
public struct OwnKeys: Hashable, Sendable {
    public let device: UInt32
    public let bundle: KeyBundle
    /// The number that the next key gets: no published key has it, unless the store is an older copy.
    public let nextPreKey: UInt32

    public init(device: UInt32, bundle: KeyBundle, nextPreKey: UInt32) {
        (self.device, self.bundle, self.nextPreKey) = (device, bundle, nextPreKey)
    }
}

/// The user’s choice for a conversation.
public enum EncryptionChoice: Hashable, Sendable {
    /// None yet: it is encrypted from the first message on for which the buddy has keys.
    case automatic
    /// It is encrypted; with devices that cannot be used left out, if the user has said so.
    case on(leavesOut: Bool)
    /// The user has switched the encryption off.
    case off
}

/// The reason why the messages of an encrypted conversation wait.
public enum EncryptionObstacle: Error, Hashable, Sendable {
    /// An account has no device that encrypts.
    case noDevices(ChatAddress)
    /// The devices of an account cannot be learnt now.
    case unreachable(ChatAddress)
    /// The user trusts none of an account’s devices.
    case noneTrusted(ChatAddress)
    /// The user has to decide on the keys of devices.
    case undecided([DeviceKey])
    /// Anybody may enter the room, or its members hide their addresses.
    case openRoom
    /// The members of the room are not known.
    case unknownMembers
}
