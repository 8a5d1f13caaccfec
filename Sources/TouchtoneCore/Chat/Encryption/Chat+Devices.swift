// SPDX-License-Identifier: GPL-3.0-or-later

// The devices of a conversation, whose keys the user compares.
extension Chat {
    /// Returns whether the conversation’s service has encryption.
    public func canHaveKeys(_ buddy: ChatAddress) -> Bool { service(of: buddy)?.encryption != nil }

    /// Whether conversations without a choice are encrypted if the buddy has keys.
    public var encryptsNew: Bool {
        get { services.contains { $0.encryption?.isAutomatic == true } }
        set {
            for service in services { service.encryption?.isAutomatic = newValue }
            selected?.liveText.check()
        }
    }

    /// Returns the devices of the other side, by account, and the user’s own last.
    public func devices(in buddy: ChatAddress) async throws(StoreError) -> [DeviceKey] {
        try await service(of: buddy)?.encryption?.devices(in: buddy) ?? []
    }

    public func setTrust(_ trust: KeyTrust, in device: DeviceKey, of buddy: ChatAddress)
        async throws(StoreError)
    {
        try await service(of: buddy)?.encryption?.setTrust(trust, in: device)
    }

    public func setLabel(_ label: String, of device: DeviceKey, in buddy: ChatAddress)
        async throws(StoreError)
    {
        try await service(of: buddy)?.encryption?.setLabel(label, of: device)
    }

    /// Removes one of the user’s own other devices, with which nothing is shared any more.
    public func remove(_ device: DeviceKey, in buddy: ChatAddress) async throws(ChatServiceError) {
        guard let encryption = service(of: buddy)?.encryption else { throw .unsupported }
        try await encryption.remove(device)
    }

    /// Drops all sessions of a conversation, and begins new ones.
    public func startAnew(with buddy: ChatAddress) async throws(StoreError) {
        try await service(of: buddy)?.encryption?.startAnew(with: buddy)
    }
}
