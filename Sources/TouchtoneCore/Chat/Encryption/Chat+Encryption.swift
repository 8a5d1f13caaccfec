// SPDX-License-Identifier: GPL-3.0-or-later

/// The encryption of a conversation, as the user sees it.
public struct EncryptionState: Hashable, Sendable {
    public var support = EncryptionSupport.unknown
    /// The reason why messages wait; nil if none do.
    public var obstacle: EncryptionObstacle?
}

extension Chat {
    /// Returns what is known of the encryption of a conversation.
    public func encryption(of buddy: ChatAddress) -> EncryptionState {
        encryptions[buddy] ?? EncryptionState()
    }

    /// Returns the user’s choice for a conversation.
    public func encryptionChoice(of buddy: ChatAddress) -> EncryptionChoice {
        buddies.buddy(at: buddy)?.settings.encryptionChoice ?? .automatic
    }

    public func isEncrypted(_ buddy: ChatAddress) -> Bool {
        if case .on = encryptionChoice(of: buddy) { true } else { false }
    }

    /// Returns whether what is sent to a conversation now is encrypted, as far as that is known.
    func encryptsNow(_ buddy: ChatAddress) -> Bool {
        switch encryptionChoice(of: buddy) {
        case .on: return true
        case .off: return false
        case .automatic:
            guard case .possible = encryption(of: buddy).support else { return false }
            return encryptsNew
        }
    }

    /// Switches the encryption of a conversation on or off, also for its waiting messages.
    public func setEncrypted(_ isOn: Bool, _ buddy: ChatAddress) {
        change(buddy) { settings in
            settings.subtract([.encrypted, .unencrypted, .leavesOutDevices])
            settings.insert(isOn ? .encrypted : .unencrypted)
        }
        if isOn { uploads?.encrypt(buddy) }
        protectWaiting(isOn, buddy)
    }

    /// Leaves devices out that cannot be used, and people without any, from now on in a conversation.
    public func leaveOutDevices(_ buddy: ChatAddress) {
        guard isEncrypted(buddy) else { return }
        change(buddy) { $0.insert(.leavesOutDevices) }
        retryEncryption(buddy)
    }

    /// Asks again for what is in the way of waiting messages.
    public func retryEncryption(_ buddy: ChatAddress) { service(of: buddy)?.encryption?.retry(buddy) }

    // MARK: Reports of the service

    func take(_ support: EncryptionSupport, of buddy: ChatAddress) { set(\.support, support, buddy) }

    func take(_ obstacle: EncryptionObstacle?, of buddy: ChatAddress) { set(\.obstacle, obstacle, buddy) }

    /// Encrypts a conversation from now on, unless the user has chosen otherwise meanwhile.
    func beginEncryption(of buddy: ChatAddress) {
        guard encryptionChoice(of: buddy) == .automatic else { return }
        change(buddy) { $0.insert(.encrypted) }
        uploads?.encrypt(buddy)
    }

    private func set<Value: Equatable>(
        _ part: WritableKeyPath<EncryptionState, Value>, _ value: Value, _ buddy: ChatAddress
    ) {
        var state = encryption(of: buddy)
        guard state[keyPath: part] != value else { return }
        state[keyPath: part] = value
        encryptions[buddy] = state == EncryptionState() ? nil : state
        if selected?.buddy == buddy { selected?.notify(.encryption) }
    }

    private func change(_ buddy: ChatAddress, _ change: (inout ConversationSettings) -> Void) {
        setAll(change, of: buddy)
        selected?.liveText.check()
        if selected?.buddy == buddy { selected?.notify(.encryption) }
    }

    private func protectWaiting(_ isOn: Bool, _ buddy: ChatAddress) {
        keep([.protectedWaiting(isOn, buddy: buddy)], nil) { [self] _ in retryEncryption(buddy) }
    }
}
