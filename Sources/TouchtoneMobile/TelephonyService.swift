// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge

/// PipeWire's service of connected phones, on the session bus.
///
/// It is not started: it runs with PipeWire, or not.
@MainActor
final class TelephonyService {
    /// A connected phone.
    struct Gateway: Hashable {
        let path: String
        /// The phone's Bluetooth address.
        let address: String
    }

    enum Change {
        /// Whether the service runs; if not, there is no phone.
        case running(Bool)
        case connected(Gateway, any PhoneControl)
        case disconnected(Gateway)
        case call(TelephonyCall, path: String, Gateway)
        case properties([String: Variant], path: String, Gateway)
        case removed(path: String, Gateway)
    }

    nonisolated static let name = "org.pipewire.Telephony"
    nonisolated static let root = "/org/pipewire/Telephony"
    nonisolated static let gatewayInterface = "\(name).AudioGateway1"
    nonisolated static let callInterface = "\(name).Call1"
    nonisolated static let manager = "org.freedesktop.DBus.ObjectManager"
    nonisolated static let properties = "org.freedesktop.DBus.Properties"
    /// The greatest number of phones; others are not read.
    nonisolated static let capacity = 8

    private let bus: DBusConnection
    private let changed: @MainActor (Change) -> Void
    private var subscriptions: [DBusSubscription] = []
    private var gateways: [String: Gateway] = [:]
    /// The number of the present run of the service, by which answers of an earlier one are known.
    private var run = 0

    init(_ bus: DBusConnection, _ changed: @escaping @MainActor (Change) -> Void) {
        (self.bus, self.changed) = (bus, changed)
    }

    func begin() {
        subscriptions = [
            bus.watchOwner(of: Self.name) { [weak self] in self?.load() },
            bus.listen(to: "InterfacesAdded", ofAnyObjectOf: Self.name, interface: Self.manager) {
                [weak self] in self?.added(at: $0, $1)
            },
            bus.listen(to: "InterfacesRemoved", ofAnyObjectOf: Self.name, interface: Self.manager) {
                [weak self] in self?.removed(at: $0, $1)
            },
            bus.listen(
                to: "PropertiesChanged", ofAnyObjectOf: Self.name, interface: Self.properties,
                argument: Self.callInterface
            ) { [weak self] in self?.propertiesChanged(at: $0, $1) },
        ]
        load()
    }

    /// Reads the phones of a new run of the service.
    private func load() {
        run += 1
        for gateway in gateways.values.sorted(by: { $0.path < $1.path }) { remove(gateway) }
        let current = run
        ask(Self.root) { [weak self] answer in
            guard let self, current == run else { return }
            changed(.running(answer != nil))
            let objects = answer.map(TelephonyReader.objects) ?? []
            for object in objects { add(object.path, object.interfaces) }
        }
    }

    /// Reads the objects below one; the answer is nil if there is no such object, or no service.
    private func ask(_ path: String, _ answered: @escaping @MainActor (Variant?) -> Void) {
        bus.call(
            DBusObject(Self.name, path: path, interface: Self.manager), "GetManagedObjects",
            startsService: false
        ) { answered(try? $0.get()) }
    }

    // MARK: - Signals

    private func added(at path: String, _ values: Variant) {
        guard let (object, interfaces) = TelephonyReader.added(values) else { return }
        if path == Self.root { return add(object, interfaces) }
        guard let gateway = gateways[path] else { return }
        addCall(object, interfaces, to: gateway)
    }

    private func removed(at path: String, _ values: Variant) {
        guard let (object, interfaces) = TelephonyReader.removed(values) else { return }
        if path == Self.root {
            guard let gateway = gateways[object], interfaces.contains(Self.gatewayInterface) else { return }
            remove(gateway)
        } else if let gateway = gateways[path], interfaces.contains(Self.callInterface) {
            changed(.removed(path: object, gateway))
        }
    }

    private func propertiesChanged(at path: String, _ values: Variant) {
        guard let gateway = gateway(ofCall: path), let (_, properties) = TelephonyReader.changed(values)
        else {
            return
        }
        changed(.properties(properties, path: path, gateway))
    }

    // MARK: - Objects

    private func add(_ path: String, _ interfaces: TelephonyReader.Interfaces) {
        guard gateways[path] == nil, gateways.count < Self.capacity, Self.isChild(path, of: Self.root),
            let address = interfaces[Self.gatewayInterface]?["Address"]?.string
        else { return }
        let gateway = Gateway(path: path, address: address)
        gateways[path] = gateway
        changed(.connected(gateway, TelephonyGateway(bus, path: path)))
        // It may have calls already.
        let current = run
        ask(path) { [weak self] answer in
            guard let self, current == run, gateways[path] == gateway else { return }
            let objects = answer.map(TelephonyReader.objects) ?? []
            for object in objects { addCall(object.path, object.interfaces, to: gateway) }
        }
    }

    private func remove(_ gateway: Gateway) {
        gateways[gateway.path] = nil
        changed(.disconnected(gateway))
    }

    private func addCall(_ path: String, _ interfaces: TelephonyReader.Interfaces, to gateway: Gateway) {
        guard Self.isChild(path, of: gateway.path),
            let call = interfaces[Self.callInterface].flatMap(TelephonyCall.init)
        else { return }
        changed(.call(call, path: path, gateway))
    }

    private func gateway(ofCall path: String) -> Gateway? {
        path.lastIndex(of: "/").flatMap { gateways[String(path[..<$0])] }
    }

    /// Returns whether a path is that of an object directly below another one.
    static func isChild(_ path: String, of parent: String) -> Bool {
        guard path.hasPrefix(parent + "/") else { return false }
        let name = path.dropFirst(parent.count + 1)
        return !name.isEmpty && name.utf8.count <= 64 && !name.contains("/")
    }
}
