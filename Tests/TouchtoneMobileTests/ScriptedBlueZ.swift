// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge

/// A double of BlueZ on a bus, with one device.
@MainActor
final class ScriptedBlueZ {
    private static let device = """
        <node><interface name="org.bluez.Device1"><property name="Alias" type="s" access="read"/></interface></node>
        """
    private static let battery = """
        <node><interface name="org.bluez.Battery1"><property name="Percentage" type="y" access="read"/></interface></node>
        """
    private let bus: DBusConnection
    private var exports: [DBusExport] = []
    private(set) var questions = 0

    init(_ bus: DBusConnection, address: String, name: String, battery: UInt8) throws {
        self.bus = bus
        let path = "/org/bluez/hci0/dev_" + address.replacing(":", with: "_")
        exports = [
            try bus.export(ScriptedTelephony.manager, at: "/") { [weak self] _, _ in
                self?.questions += 1
                let interfaces = Variant.array(
                    of: "{sa{sv}}",
                    [
                        .entry(.string("org.bluez.Device1"), .dictionary([("Alias", .string(name))])),
                        .entry(
                            .string("org.bluez.Battery1"), .dictionary([("Percentage", .byte(battery))])),
                    ])
                return [ScriptedTelephony.objects([(path, interfaces)])]
            },
            try bus.export(Self.device, at: path, property: { _ in .string(name) }, called: { _, _ in [] }),
            try bus.export(Self.battery, at: path, property: { _ in .byte(battery) }, called: { _, _ in [] }),
        ]
        bus.call(.bus, "RequestName", [.string("org.bluez"), .uint32(4)]) { _ in }
    }

    func rename(_ name: String) { exports[1].emitChanges([("Alias", .string(name))]) }
    func charge(_ percentage: UInt8) { exports[2].emitChanges([("Percentage", .byte(percentage))]) }
    func removeBattery(at address: String) {
        let path = "/org/bluez/hci0/dev_" + address.replacing(":", with: "_")
        exports[0].emit("InterfacesRemoved", [.objectPath(path), .strings(["org.bluez.Battery1"])])
    }
}
