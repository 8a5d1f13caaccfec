// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The part of the app that shows what another program asks for.
@MainActor
protocol NumberReceiver: AnyObject {
    /// Shows the window with a number or address filled in, now or after the phone is unlocked; nothing is dialled.
    func fillIn(_ text: String)

    /// Shows a web address that offers accounts; nothing is fetched or saved before the user wants it.
    func setUpAccounts(at address: String)
}

/// The phone as an object of the session bus, at the path of the object manager: `touchtone call` asks it.
@MainActor
final class PhoneObject {
    static let interface = Resources.applicationID + ".Phone1"

    private let phone: Phone
    private let lock: Lock
    private weak var receiver: (any NumberReceiver)?
    private let makeReport: @MainActor () -> String
    private var export: DBusExport?

    /// `makeReport` returns the report for `touchtone --diagnose`.
    init(
        phone: Phone, lock: Lock, receiver: any NumberReceiver,
        makeReport: @escaping @MainActor () -> String, on bus: DBusConnection
    ) throws(GLibError) {
        (self.phone, self.lock, self.receiver, self.makeReport) = (phone, lock, receiver, makeReport)
        export = try bus.export(Self.description, at: CallObjects.path) {
            [weak self] (method, values) throws(DBusError) in
            guard let self else { throw .invalidArguments }
            return try perform(method, values)
        }
    }

    private func perform(_ method: String, _ values: Variant) throws(DBusError) -> [Variant] {
        guard values.size <= CallObjects.maximumSize else { throw BusError.tooLong }
        let text = values[0]?.string ?? ""
        switch method {
        case "Enter": return [.bool(try enter(text))]
        case "Dial": return [.objectPath(CallObjects.path(of: try dial(text)))]
        case "SetUp":
            guard !lock.isLocked else { throw BusError.locked }
            receiver?.setUpAccounts(at: text)
            return []
        case "Report": return [.string(makeReport())]
        default: throw .invalidArguments
        }
    }

    /// Fills in a number or address; false if it waits until the phone is unlocked.
    private func enter(_ text: String) throws(DBusError) -> Bool {
        // What a text names depends on the buddies, of whom a locked phone says nothing.
        if !lock.isLocked { _ = try phone.target(onBus: text) }
        receiver?.fillIn(text)
        return !lock.isLocked
    }

    /// Calls a number or address as Dial does; a locked phone calls emergency services only.
    private func dial(_ text: String) throws(DBusError) -> Call.ID {
        let before = Set(phone.calls.calls.map(\.id))
        if lock.isLocked {
            guard case .number(let number) = DialledNumber.read(text), phone.calls.emergency.contains(number)
            else { throw BusError.locked }
            phone.callForHelp(number)
        } else {
            let target = try phone.target(onBus: text)
            guard phone.canCall else { throw BusError.inUse }
            switch target {
            case .number(let number): phone.call(number)
            case .address(let address): phone.call(address)
            }
        }
        guard let call = phone.calls.calls.first(where: { !before.contains($0.id) }) else {
            throw phone.status == .linesInUse ? BusError.inUse : BusError.impossible(phone.status.text)
        }
        return call.id
    }

    private static let description = """
        <node><interface name="\(interface)">
          <method name="Enter">
            <arg name="target" type="s" direction="in"/><arg name="shown" type="b" direction="out"/>
          </method>
          <method name="Dial">
            <arg name="target" type="s" direction="in"/><arg name="call" type="o" direction="out"/>
          </method>
          <method name="SetUp"><arg name="address" type="s" direction="in"/></method>
          <method name="Report"><arg name="report" type="s" direction="out"/></method>
        </interface></node>
        """
}
