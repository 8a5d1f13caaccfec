// SPDX-License-Identifier: GPL-3.0-or-later

/// The portal through which a program receives shortcuts of the whole desktop, also while other windows have the keyboard
/// (`org.freedesktop.portal.GlobalShortcuts`).
///
/// The desktop asks the user which keys they are, and remembers that. Any program can own the portal's name on the bus, so
/// that its answers are checked.
@MainActor
public final class GlobalShortcutsPortal {
    public struct Shortcut: Sendable {
        let id, description: String

        /// `description` is in the user's language, which the desktop shows.
        public init(id: String, description: String) { (self.id, self.description) = (id, description) }
    }

    public enum State: Hashable, Sendable {
        /// The desktop has no such portal.
        case unavailable
        /// The desktop has one, which is not used.
        case off
        case asking
        /// The keys of each shortcut, as the desktop describes them; a shortcut without keys is missing.
        case on([String: String])
        /// The user or the desktop did not allow them.
        case refused
    }

    /// A function that connects to the bus; released, the connection ends the session of shortcuts.
    public typealias Connect = @MainActor () async throws(GLibError) -> DBusConnection

    public private(set) var state = State.unavailable { didSet { if state != oldValue { onChange?() } } }
    public var onChange: (@MainActor () -> Void)?
    public var onPress: (@MainActor (String) -> Void)?

    private let application: String
    private let service: String
    private let connect: Connect
    private var bus: DBusConnection?
    private var signals: [DBusSubscription] = []
    /// The number of the last beginning; what belongs to an earlier one is ignored.
    private var number = 0
    private var session = ""
    private var requests = 0
    /// How often the portal has ended since the shortcuts were wanted.
    private var ends = 0

    private static let path = "/org/freedesktop/portal/desktop"
    private static let interface = "org.freedesktop.portal.GlobalShortcuts"
    private static let maximumText = 200
    private static let maximumEnds = 3

    /// `application` is the id of the program, which the portal does not know of one without a sandbox.
    public init(
        application: String, service: String = "org.freedesktop.portal.Desktop",
        connect: @escaping Connect = { () async throws(GLibError) in
            try await DBusConnection.connectPrivately(to: .session)
        }
    ) {
        (self.application, self.service, self.connect) = (application, service, connect)
    }

    private var portal: DBusObject { DBusObject(service, path: Self.path, interface: Self.interface) }

    /// Finds out whether the desktop has the portal, and then uses it, if `shortcuts` has any.
    public func begin(_ shortcuts: [Shortcut]) {
        ends = 0
        start(shortcuts)
    }

    private func start(_ shortcuts: [Shortcut]) {
        end()
        number += 1
        let number = number
        Task { [weak self] in
            guard let connect = self?.connect, let bus = try? await connect() else { return }
            await self?.begin(shortcuts, number, on: bus)
        }
    }

    /// Ends the shortcuts.
    public func end() {
        number += 1
        (bus, signals, session) = (nil, [], "")
        if state != .unavailable { state = .off }
    }

    private func begin(_ shortcuts: [Shortcut], _ number: Int, on bus: DBusConnection) async {
        guard number == self.number else { return }
        // It gives a name to a program that was not started by the desktop; older portals do not have it.
        let registry = DBusObject(service, path: Self.path, interface: "org.freedesktop.host.portal.Registry")
        _ = try? await bus.call(registry, "Register", [.string(application), .dictionary([])])
        let properties = DBusObject(service, path: Self.path, interface: "org.freedesktop.DBus.Properties")
        let version = try? await bus.call(properties, "Get", [.string(Self.interface), .string("version")])
        guard number == self.number else { return }
        guard version?[0]?.content?.uint32 != nil else { return state = .unavailable }
        guard !shortcuts.isEmpty else { return state = .off }
        self.bus = bus
        state = .asking
        signals = [
            bus.listen(to: "Activated", of: portal) { [weak self] in self?.pressed($0, number) },
            bus.listen(to: "ShortcutsChanged", of: portal) { [weak self] in self?.changed($0, number) },
            bus.watchOwner(of: service) { [weak self] in self?.startAgain(shortcuts, number) },
        ]
        ask(
            "CreateSession", [.dictionary(options(number) + [("session_handle_token", .string("calls"))])],
            number
        ) { [weak self] in self?.created($0, shortcuts, number) }
    }

    /// Starts again after the portal has ended, but not for ever with one that ends each time.
    private func startAgain(_ shortcuts: [Shortcut], _ number: Int) {
        guard number == self.number else { return }
        ends += 1
        if ends <= Self.maximumEnds { start(shortcuts) } else { end() }
    }

    private func created(_ results: Variant, _ shortcuts: [Shortcut], _ number: Int) {
        guard let handle = Self.entry("session_handle", of: results)?.string,
            handle.utf8.count <= Self.maximumText,
            g_variant_is_object_path(handle) != 0
        else { return state = .refused }
        session = handle
        let list = shortcuts.map { shortcut in
            Variant.tuple([
                .string(shortcut.id), .dictionary([("description", .string(shortcut.description))]),
            ])
        }
        let arguments: [Variant] = [
            .objectPath(handle), .array(of: "(sa{sv})", list), .string(""), .dictionary(options(number)),
        ]
        ask("BindShortcuts", arguments, number) { [weak self] in self?.bound($0) }
    }

    private func bound(_ results: Variant) {
        state = .on(Self.keys(of: Self.entry("shortcuts", of: results)))
    }

    private func changed(_ values: Variant, _ number: Int) {
        guard number == self.number, values.type == "(oa(sa{sv}))", values[0]?.string == session,
            case .on = state
        else { return }
        state = .on(Self.keys(of: values[1]))
    }

    private func pressed(_ values: Variant, _ number: Int) {
        guard number == self.number, values.type == "(osta{sv})", !session.isEmpty,
            values[0]?.string == session, case .on = state, let id = values[1]?.string
        else { return }
        onPress?(id)
    }

    /// The options of a request; its answer comes from an object that they name.
    private func options(_ number: Int) -> [(key: String, value: Variant)] {
        requests += 1
        return [("handle_token", .string("touchtone\(number)x\(requests)"))]
    }

    /// Sends a request whose answer may take any time, because the desktop asks the user.
    private func ask(
        _ method: String, _ arguments: [Variant], _ number: Int,
        answered: @escaping @MainActor (Variant) -> Void
    ) {
        guard let bus else { return }
        let sender = String(bus.uniqueName.drop { $0 == ":" }.map { $0 == "." ? "_" : $0 })
        let path = "\(Self.path)/request/\(sender)/touchtone\(number)x\(requests)"
        let request = DBusObject(service, path: path, interface: "org.freedesktop.portal.Request")
        signals.append(
            bus.listen(to: "Response", of: request) { [weak self] values in
                guard let self, number == self.number, values.type == "(ua{sv})", let results = values[1]
                else {
                    return
                }
                if values[0]?.uint32 == 0 { answered(results) } else { state = .refused }
            })
        bus.call(portal, method, arguments) { [weak self] answer in
            guard let self, number == self.number, case .failure = answer else { return }
            state = .refused
        }
    }

    private static func entry(_ name: String, of results: Variant) -> Variant? {
        results.children.first { $0[0]?.string == name }?[1]?.content
    }

    /// Returns the keys of each shortcut in a list of the portal, bounded.
    private static func keys(of list: Variant?) -> [String: String] {
        guard let list, list.type == "a(sa{sv})" else { return [:] }
        var keys: [String: String] = [:]
        for shortcut in list.children.prefix(16) {
            guard let id = shortcut[0]?.string,
                let text = shortcut[1].flatMap({ entry("trigger_description", of: $0) })?.string,
                !text.isEmpty
            else { continue }
            keys[id] = String(text.prefix(maximumText))
        }
        return keys
    }
}
