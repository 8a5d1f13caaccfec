// SPDX-License-Identifier: GPL-3.0-or-later

import HelperMessages
import SIPMessages
import TouchtoneHelpers

extension HelperProcess<SIPHelper> {
    /// Whether the engine does not follow a setting that it only reads when it starts.
    var isOutdated: Bool {
        isReady && configured?.acceptsDirectCalls != configuration?().acceptsDirectCalls
    }

    /// Sends what has changed while the engine was starting.
    func sendChanges() {
        guard let configured, let now = configuration?() else { return }
        if now.devices != configured.devices { send(.setDevices(now.devices)) }
        if now.hasNetwork != configured.hasNetwork { send(.setNetwork(isAvailable: now.hasNetwork)) }
    }
}

/// The messages of which engines have died, which later ones drop: they would die of them, too, as often as they come.
struct RefusedMessages {
    static let maximumCount = 64

    /// The fingerprints of the messages, the latest last.
    private(set) var fingerprints: [Int] = []

    /// Adds a message, and drops the earliest one of too many.
    mutating func add(_ message: Int) {
        fingerprints.removeAll { $0 == message }
        fingerprints = fingerprints.suffix(Self.maximumCount - 1) + [message]
    }
}
