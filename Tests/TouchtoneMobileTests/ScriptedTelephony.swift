// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge

/// A double of PipeWire's service on a bus, with phones that do what a phone does, or what the test wants.
@MainActor
final class ScriptedTelephony {
    static let name = "org.pipewire.Telephony"
    static let root = "/org/pipewire/Telephony"
    /// An object manager, as its objects describe themselves.
    static let manager = """
        <node><interface name="org.freedesktop.DBus.ObjectManager">
          <method name="GetManagedObjects"><arg type="a{oa{sa{sv}}}" direction="out"/></method>
          <signal name="InterfacesAdded"><arg type="o"/><arg type="a{sa{sv}}"/></signal>
          <signal name="InterfacesRemoved"><arg type="o"/><arg type="as"/></signal>
        </interface></node>
        """

    let bus: DBusConnection
    private(set) var phones: [ScriptedPhone] = []
    private var root: DBusExport?
    private var lastID = 0

    init(_ bus: DBusConnection) throws {
        self.bus = bus
        root = try bus.export(Self.manager, at: Self.root, property: { _ in nil }) { [weak self] _, _ in
            self.map { [Self.objects($0.phones.map { ($0.path, $0.interfaces) })] }
        }
    }

    /// Takes the name of the service, or gives it up.
    func setRunning(_ isRunning: Bool, as name: String = ScriptedTelephony.name) {
        let arguments = [Variant.string(name)] + (isRunning ? [.uint32(4)] : [])
        bus.call(.bus, isRunning ? "RequestName" : "ReleaseName", arguments) { _ in }
    }

    @discardableResult
    func connect(_ address: String) throws -> ScriptedPhone {
        lastID += 1
        let phone = try ScriptedPhone(bus, at: "\(Self.root)/ag\(lastID)", address: address)
        phones.append(phone)
        root?.emit("InterfacesAdded", [.objectPath(phone.path), phone.interfaces])
        return phone
    }

    func disconnect(_ phone: ScriptedPhone) {
        phones.removeAll { $0 === phone }
        root?.emit(
            "InterfacesRemoved",
            [
                .objectPath(phone.path),
                .strings(["\(Self.name).AudioGateway1", "\(Self.name).AudioGatewayTransport1"]),
            ])
        phone.end()
    }

    func emit(_ signal: String, _ values: [Variant]) { root?.emit(signal, values) }

    static func objects(_ objects: [(path: String, interfaces: Variant)]) -> Variant {
        .array(of: "{oa{sa{sv}}}", objects.map { .entry(.objectPath($0.path), $0.interfaces) })
    }

    /// Returns an object's interface with its properties.
    static func interface(_ name: String, _ properties: [(key: String, value: Variant)]) -> Variant {
        .array(of: "{sa{sv}}", [.entry(.string(name), .dictionary(properties))])
    }
}

/// A phone of the scripted service.
@MainActor
final class ScriptedPhone {
    /// A call, with the properties that the service tells.
    struct Entry {
        let path: String
        var state: String
        var number: String
        var isMultiparty = false
        let export: DBusExport

        var properties: [(key: String, value: Variant)] {
            [
                ("LineIdentification", .string(number)), ("IncomingLine", .string("")), ("Name", .string("")),
                ("Multiparty", .bool(isMultiparty)), ("State", .string(state)),
            ]
        }
    }

    private static let control = """
        <node><interface name="org.pipewire.Telephony.AudioGateway1">
          <method name="Dial"><arg type="s" direction="in"/><arg type="o" direction="out"/></method>
          <method name="SwapCalls"/><method name="ReleaseAndAnswer"/><method name="ReleaseAndSwap"/>
          <method name="HoldAndAnswer"/><method name="HangupAll"/><method name="CreateMultiparty"/>
          <method name="SendTones"><arg type="s" direction="in"/></method>
          <property name="Address" type="s" access="read"/>
        </interface></node>
        """
    private static let callControl = """
        <node><interface name="org.pipewire.Telephony.Call1">
          <method name="Answer"/><method name="Hangup"/>
          <property name="State" type="s" access="read"/>
        </interface></node>
        """
    static let refusal = DBusError("org.pipewire.Telephony.Error.InvalidState", "no")

    let path: String
    let address: String
    private let bus: DBusConnection
    private var manager: DBusExport?
    private var gateway: DBusExport?
    private(set) var calls: [Entry] = []
    /// The operations that it was asked for, in order.
    private(set) var asked: [String] = []
    /// The errors with which it answers methods.
    var refusals: [String: DBusError] = [:]
    /// Whether it says yes and does nothing.
    var isIdle = false
    private var lastID = 0

    init(_ bus: DBusConnection, at path: String, address: String) throws {
        (self.bus, self.path, self.address) = (bus, path, address)
        manager = try bus.export(ScriptedTelephony.manager, at: path, property: { _ in nil }) {
            [weak self] _, _ in
            self.map { phone in
                [ScriptedTelephony.objects(phone.calls.map { ($0.path, phone.interfaces(of: $0)) })]
            }
        }
        gateway = try bus.export(
            Self.control, at: path, property: { [address] _ in .string(address) },
            answering: { [weak self] (method, arguments) throws(DBusError) in
                guard let self else { return [] }
                return try answer(method, arguments[0]?.string ?? "")
            })
    }

    var interfaces: Variant {
        ScriptedTelephony.interface(
            "\(ScriptedTelephony.name).AudioGateway1", [("Address", .string(address))])
    }

    func end() { (manager, gateway, calls) = (nil, nil, []) }

    // MARK: - Calls

    /// Has a new call, and tells of it.
    @discardableResult
    func add(_ state: String, _ number: String = "") throws -> String {
        lastID += 1
        let call = "\(path)/call\(lastID)"
        let export = try bus.export(
            Self.callControl, at: call, property: { _ in .string("") },
            answering: { [weak self] (method, _) throws(DBusError) in
                try self?.answer(method, of: call) ?? []
            })
        calls.append(Entry(path: call, state: state, number: number, export: export))
        manager?.emit("InterfacesAdded", [.objectPath(call), interfaces(of: calls[calls.count - 1])])
        return call
    }

    func set(_ path: String, _ state: String? = nil, number: String? = nil, isMultiparty: Bool? = nil) {
        guard let index = calls.firstIndex(where: { $0.path == path }) else { return }
        var changes: [(key: String, value: Variant)] = []
        if let state {
            calls[index].state = state
            changes.append(("State", .string(state)))
        }
        if let number {
            calls[index].number = number
            changes.append(("LineIdentification", .string(number)))
        }
        if let isMultiparty {
            calls[index].isMultiparty = isMultiparty
            changes.append(("Multiparty", .bool(isMultiparty)))
        }
        calls[index].export.emitChanges(changes)
    }

    func remove(_ path: String) {
        set(path, "disconnected")
        calls.removeAll { $0.path == path }
        manager?.emit(
            "InterfacesRemoved", [.objectPath(path), .strings(["\(ScriptedTelephony.name).Call1"])])
    }

    func emit(_ signal: String, _ values: [Variant]) { manager?.emit(signal, values) }

    private func interfaces(of call: Entry) -> Variant {
        ScriptedTelephony.interface("\(ScriptedTelephony.name).Call1", call.properties)
    }

    // MARK: - Methods

    private func answer(_ method: String, _ argument: String) throws(DBusError) -> [Variant] {
        asked.append(argument.isEmpty ? method : "\(method) \(argument)")
        if let refusal = refusals[method] { throw refusal }
        guard !isIdle else { return method == "Dial" ? [.objectPath("/idle")] : [] }
        let states = calls.map { ($0.path, $0.state) }
        switch method {
        case "Dial":
            for (path, state) in states where state == "active" { set(path, "held") }
            return [.objectPath((try? add("dialing", argument)) ?? "/none")]
        case "SwapCalls":
            // As PipeWire, which holds no call alone.
            guard states.contains(where: { $0.1 == "held" }) else { throw Self.refusal }
            for (path, state) in states where state == "active" { set(path, "held") }
            for (path, state) in states where state == "held" { set(path, "active") }
        case "HoldAndAnswer", "ReleaseAndAnswer":
            for (path, state) in states where state == "active" {
                if method == "HoldAndAnswer" { set(path, "held") } else { remove(path) }
            }
            for (path, state) in states where state == "waiting" { set(path, "active") }
        case "HangupAll": for (path, _) in states { remove(path) }
        case "CreateMultiparty": for (path, _) in states { set(path, "active", isMultiparty: true) }
        default: break
        }
        return []
    }

    private func answer(_ method: String, of path: String) throws(DBusError) -> [Variant] {
        asked.append("\(method) \(path.split(separator: "/").last ?? "")")
        if let refusal = refusals[method] { throw refusal }
        guard !isIdle, let call = calls.first(where: { $0.path == path }) else { return [] }
        guard method == "Hangup" else {
            guard call.state == "incoming" else { throw Self.refusal }
            set(path, "active")
            return []
        }
        guard call.state != "held" else { throw Self.refusal }
        // All that are heard end, and those on hold come back.
        let states = calls.map { ($0.path, $0.state) }
        if call.state == "active" {
            for (path, state) in states where state == "active" { remove(path) }
            for (path, state) in states where state == "held" { set(path, "active") }
        } else {
            remove(path)
        }
        return []
    }
}
