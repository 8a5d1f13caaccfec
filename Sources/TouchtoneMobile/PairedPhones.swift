// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge

/// The names and batteries of the Bluetooth devices that the desktop knows, by BlueZ on the system bus.
@MainActor
final class PairedPhones {
    /// A device, as far as it is known.
    struct Device: Hashable {
        var name = ""
        /// The charge of the battery, 0 to 100.
        var battery: Int?
    }

    static let service = "org.bluez"
    static let deviceInterface = "org.bluez.Device1"
    static let batteryInterface = "org.bluez.Battery1"
    /// The greatest number of devices that are read.
    static let capacity = 64

    private let bus: DBusConnection
    private let changed: @MainActor () -> Void
    private var subscriptions: [DBusSubscription] = []
    /// The devices by their paths, which contain their addresses.
    private var devices: [String: Device] = [:]

    init(_ bus: DBusConnection, _ changed: @escaping @MainActor () -> Void) {
        (self.bus, self.changed) = (bus, changed)
    }

    func begin() {
        subscriptions = [
            bus.watchOwner(of: Self.service) { [weak self] in self?.load() },
            bus.listen(
                to: "InterfacesAdded", ofAnyObjectOf: Self.service, interface: TelephonyService.manager
            ) { [weak self] in self?.added($1) },
            bus.listen(
                to: "InterfacesRemoved", ofAnyObjectOf: Self.service, interface: TelephonyService.manager
            ) { [weak self] in self?.removed($1) },
        ]
        // Only these two interfaces: BlueZ tells of much else.
        for interface in [Self.deviceInterface, Self.batteryInterface] {
            subscriptions.append(
                bus.listen(
                    to: "PropertiesChanged", ofAnyObjectOf: Self.service,
                    interface: TelephonyService.properties, argument: interface
                ) { [weak self] path, values in
                    guard let (interface, properties) = TelephonyReader.changed(values) else { return }
                    self?.take([interface: properties], at: path)
                })
        }
        load()
    }

    /// Returns what is known of the device with an address; nil if nothing is.
    func device(_ address: BluetoothAddress) -> Device? {
        devices.first { $0.key.hasSuffix("/dev_\(address.text.replacing(":", with: "_"))") }?.value
    }

    private func load() {
        devices = [:]
        changed()
        bus.call(
            DBusObject(Self.service, path: "/", interface: TelephonyService.manager), "GetManagedObjects",
            startsService: false
        ) { [weak self] answer in
            guard let answer = try? answer.get() else { return }
            for (path, interfaces) in TelephonyReader.objects(answer) { self?.take(interfaces, at: path) }
        }
    }

    private func added(_ values: Variant) {
        guard let (path, interfaces) = TelephonyReader.added(values) else { return }
        take(interfaces, at: path)
    }

    private func removed(_ values: Variant) {
        guard let (path, interfaces) = TelephonyReader.removed(values), let old = devices[path] else {
            return
        }
        if interfaces.contains(Self.deviceInterface) {
            devices[path] = nil
        } else if interfaces.contains(Self.batteryInterface) {
            devices[path] = Device(name: old.name)
        }
        changed()
    }

    private func take(_ interfaces: TelephonyReader.Interfaces, at path: String) {
        var device = devices[path] ?? Device()
        if let name = interfaces[Self.deviceInterface]?["Alias"]?.string {
            device.name = String(name.prefix(200))
        }
        if let charge = interfaces[Self.batteryInterface]?["Percentage"]?.byte {
            device.battery = min(100, Int(charge))
        }
        guard device != devices[path] ?? Device(), devices[path] != nil || devices.count < Self.capacity
        else {
            return
        }
        devices[path] = device
        changed()
    }
}
