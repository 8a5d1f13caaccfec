// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// Encryption that records every request, with devices that the test sets.
@MainActor
public final class FakeEncryption: EncryptionService {
    /// A recorded request.
    public enum Call: Hashable, Sendable {
        case learn(ChatAddress)
        case retry(ChatAddress)
        case trust(KeyTrust, DeviceAddress)
        case label(String, DeviceAddress)
        case remove(DeviceAddress)
        case startAnew(ChatAddress)
    }

    /// Whether conversations begin encrypted.
    public var isAutomatic = true
    /// The devices of all conversations.
    public var known: [DeviceKey] = []
    /// The error that requests to the server fail with; nil if they succeed.
    public var error: ChatServiceError?
    private var calls: [Call] = []

    /// Creates encryption without devices.
    public init() {}

    /// Returns and clears the recorded requests.
    public func takeCalls() -> [Call] {
        defer { calls = [] }
        return calls
    }

    /// Returns that nothing is encrypted without a choice.
    public func decide(for buddy: ChatAddress) async -> Bool? { false }
    /// Records the request.
    public func learn(of buddy: ChatAddress) { calls.append(.learn(buddy)) }
    /// Records the request.
    public func retry(_ buddy: ChatAddress) { calls.append(.retry(buddy)) }
    /// Returns what the test has set.
    public func devices(in buddy: ChatAddress) async throws(StoreError) -> [DeviceKey] { known }
    /// Records the request, and changes the device.
    public func setTrust(_ trust: KeyTrust, in device: DeviceKey) async throws(StoreError) {
        calls.append(.trust(trust, device.address))
        change(device, trust: trust)
    }
    /// Records the request, and changes the device.
    public func setLabel(_ label: String, of device: DeviceKey) async throws(StoreError) {
        calls.append(.label(label, device.address))
        change(device, label: label)
    }
    /// Records the request, and removes the device.
    public func remove(_ device: DeviceKey) async throws(ChatServiceError) {
        calls.append(.remove(device.address))
        if let error { throw error }
        known.removeAll { $0.address == device.address }
    }
    /// Records the request.
    public func startAnew(with buddy: ChatAddress) async throws(StoreError) {
        calls.append(.startAnew(buddy))
    }

    private func change(_ device: DeviceKey, trust: KeyTrust? = nil, label: String? = nil) {
        guard let index = known.firstIndex(where: { $0.address == device.address }) else { return }
        known[index] = DeviceKey(
            device.address, key: device.key, trust: trust ?? known[index].trust, isActive: device.isActive,
            isThis: device.isThis, firstSeen: device.firstSeen, lastSeen: device.lastSeen,
            label: label ?? known[index].label)
    }
}
