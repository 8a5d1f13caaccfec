// SPDX-License-Identifier: GPL-3.0-or-later

/// The result of a comparison of a link’s keys with the known devices of an account.
public struct KeyComparison: Hashable, Sendable {
    /// The devices that have the link’s key.
    public let equal: [DeviceKey]
    /// The devices that have another key than the link says: somebody may be in between.
    public let different: [DeviceKey]
    /// The number of keys of devices that are not known.
    public let unknown: Int

    /// - Parameter devices: The devices of the account that the link names.
    public init(_ link: [LinkedKey], with devices: [DeviceKey]) {
        // A device that a link names twice has two keys there, of which one must differ.
        let different = devices.filter { device in
            device.key != nil
                && link.contains { $0.device == device.address.device && $0.key != device.key }
        }
        self.different = different
        equal = devices.filter { device in
            !different.contains(device)
                && link.contains { $0.device == device.address.device && $0.key == device.key }
        }
        let known = Set(devices.filter { $0.key != nil }.map(\.address.device))
        unknown = link.count { !known.contains($0.device) }
    }
}

extension XMPPURI {
    /// Creates the link with which others verify the devices of an account.
    public init(_ account: ChatAddress, verifying devices: [DeviceKey]) {
        let keys = devices.filter { $0.isActive && $0.address.account == account }.compactMap { device in
            device.key.map { LinkedKey(device: device.address.device, key: $0) }
        }
        self.init(account.text, keys: Array(keys.prefix(LinkedKey.maximumCount)))
    }
}
