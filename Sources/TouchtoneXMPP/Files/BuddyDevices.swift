// SPDX-License-Identifier: GPL-3.0-or-later

/// The devices of buddies that are online and state their capabilities (XEP-0115).
struct BuddyDevices {
    struct Device: Hashable {
        let jid: JID
        /// The node to ask for the features.
        let node: String
        let priority: Int8
    }

    private var devices: [JID: [Device]] = [:]

    /// Returns the devices of an account, those with the highest priority first.
    func devices(of jid: JID) -> [Device] { devices[jid] ?? [] }

    mutating func handle(_ presence: Presence) {
        guard let from = presence.from else { return }
        switch presence.kind {
        case .available:
            guard !from.isBare else { return }
            var known = devices(of: from.bare).filter { $0.jid != from }
            if let capabilities = Capabilities(in: presence), known.count < RosterState.maximumDevices {
                let node = "\(capabilities.node)#\(capabilities.version)"
                known.append(Device(jid: from, node: node, priority: presence.priority))
            }
            devices[from.bare] = known.isEmpty ? nil : known.sorted { $0.priority > $1.priority }
        case .unavailable:
            let rest = from.isBare ? [] : devices(of: from.bare).filter { $0.jid != from }
            devices[from.bare] = rest.isEmpty ? nil : rest
        default: break
        }
    }
}
