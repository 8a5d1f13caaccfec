// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The calls as objects of the session bus, for scripts, with an object manager at `path`.
///
/// While the phone is locked, they name nobody and can only be answered, ended and muted, as on the lock screen.
@MainActor
final class CallObjects {
    static let path = "/io/github/touchtone/Touchtone"
    static let interface = Resources.applicationID + ".Call1"

    private let phone: Phone
    private let lock: Lock
    private let wall: any WallClock
    private let bus: DBusConnection
    private var objects: [CallObject] = []
    private var manager: DBusExport?

    private static let managerName = "org.freedesktop.DBus.ObjectManager"

    init(phone: Phone, lock: Lock, wall: any WallClock, on bus: DBusConnection) throws(GLibError) {
        (self.phone, self.lock, self.wall, self.bus) = (phone, lock, wall, bus)
        manager = try bus.export(Self.managerDescription, at: Self.path) { [weak self] method, _ in
            [self?.managedObjects ?? .array(of: "{oa{sa{sv}}}", [])]
        }
        phone.observe(by: self) { [weak self] in if $0.contains(.calls) { self?.refresh() } }
        lock.observe(by: self) { [weak self] in self?.refresh() }
        refresh()
    }

    /// Returns the path of the object of a call.
    static func path(of id: Call.ID) -> String { "\(path)/call/\(id)" }

    /// Makes the objects those of the calls, and tells what has changed.
    func refresh() {
        let calls = phone.calls.calls
        for object in objects where !calls.contains(where: { $0.id == object.id }) { end(object) }
        objects.removeAll { object in !calls.contains { $0.id == object.id } }
        for call in calls {
            if let object = objects.first(where: { $0.id == call.id }) {
                object.show(properties(of: call, started: object.shown.started))
            } else {
                begin(call)
            }
        }
    }

    private func begin(_ call: Call) {
        let started = UInt64(max(0, wall.now.milliseconds / 1000))
        let object = CallObject(id: call.id, properties(of: call, started: started))
        do throws(GLibError) {
            try object.offer(on: bus, at: Self.path(of: call.id)) {
                [weak self] method, values throws(DBusError) in
                try self?.perform(method, values, on: call.id)
            }
        } catch {
            return DebugLog.write("bus: \(error.message)")
        }
        objects.append(object)
        let interfaces = Variant.array(of: "{sa{sv}}", [object.interfaceEntry])
        manager?.emit("InterfacesAdded", [.objectPath(Self.path(of: call.id)), interfaces])
    }

    private func end(_ object: CallObject) {
        var last = object.shown
        (last.state, last.isHeld, last.isRecorded) = (CallState.ended.busName, false, false)
        object.show(last)
        object.withdraw()
        manager?.emit(
            "InterfacesRemoved", [.objectPath(Self.path(of: object.id)), .strings([Self.interface])])
    }

    private var managedObjects: Variant {
        .array(
            of: "{oa{sa{sv}}}",
            objects.map {
                .entry(
                    .objectPath(Self.path(of: $0.id)), .array(of: "{sa{sv}}", [$0.interfaceEntry]))
            })
    }

    private func properties(of call: Call, started: UInt64) -> CallProperties {
        var shown = CallProperties()
        shown.direction = call.direction == .incoming ? "incoming" : "outgoing"
        shown.state = call.state.busName
        if !lock.isLocked {
            // The id of a line is a word of the user’s, which may name somebody, too.
            shown.line = call.line
            (shown.name, shown.address) = (phone.name(of: call.remote), call.remote.called)
        }
        shown.started = started
        (shown.isMuted, shown.isHeld) = (call.isMuted, call.state == .held)
        shown.isRecorded = call.isRecorded
        return shown
    }
}

// MARK: - Methods

extension CallObjects {
    /// The greatest size of the arguments of a call, in bytes.
    static let maximumSize = 4096

    private static let allowedWhileLocked: Set<String> = ["Answer", "HangUp", "Mute"]

    private func perform(_ method: String, _ values: Variant, on id: Call.ID) throws(DBusError) {
        guard !lock.isLocked || Self.allowedWhileLocked.contains(method) else { throw BusError.locked }
        guard values.size <= Self.maximumSize else { throw BusError.tooLong }
        let (calls, text) = (phone.calls, values[0]?.string ?? "")
        switch method {
        case "Answer": try refusing { () throws(CallManager.Refusal) in try calls.answerCall(id) }
        case "HangUp": try refusing { () throws(CallManager.Refusal) in try calls.endCall(id) }
        case "Hold": try refusing { () throws(CallManager.Refusal) in try calls.holdCall(id) }
        case "Resume": try refusing { () throws(CallManager.Refusal) in try calls.resumeCall(id) }
        case "Mute":
            let isMuted = values[0]?.bool ?? false
            try refusing { () throws(CallManager.Refusal) in try calls.setMuted(isMuted, id) }
        case "SendKeys":
            let keys = text.compactMap { DTMFKey($0) }
            guard !keys.isEmpty, keys.count == text.count, keys.count <= CallManager.maximumWaitingKeys else {
                throw BusError.invalidKeys
            }
            try refusing { () throws(CallManager.Refusal) in try calls.sendKeys(keys, to: id) }
        case "TransferTo":
            let target = try phone.target(onBus: text)
            try refusing { () throws(CallManager.Refusal) in try calls.transferCall(id, to: target.remote) }
        default: throw .invalidArguments
        }
    }

    private func refusing(_ body: () throws(CallManager.Refusal) -> Void) throws(DBusError) {
        do throws(CallManager.Refusal) { try body() } catch { throw BusError.of(error) }
    }

    fileprivate static let managerDescription = """
        <node><interface name="\(managerName)">
          <method name="GetManagedObjects">
            <arg name="objects" type="a{oa{sa{sv}}}" direction="out"/>
          </method>
          <signal name="InterfacesAdded">
            <arg name="object" type="o"/><arg name="interfaces" type="a{sa{sv}}"/>
          </signal>
          <signal name="InterfacesRemoved">
            <arg name="object" type="o"/><arg name="interfaces" type="as"/>
          </signal>
        </interface></node>
        """
}

extension Phone {
    /// Returns what a text from the bus names, if it can be called.
    func target(onBus text: String) throws(DBusError) -> CallTarget {
        let target: CallTarget
        do throws(UnreadableTarget) { target = try self.target(in: text) } catch {
            throw BusError.unreadable(error.status)
        }
        if case .number(let number) = target, !number.isDialable { throw BusError.unreadable(.noNumber) }
        return target
    }
}
