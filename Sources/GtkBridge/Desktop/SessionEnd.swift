// SPDX-License-Identifier: GPL-3.0-or-later

/// Observes the end of the session: a session manager that ends its programs, and a machine that shuts down.
///
/// Both come before the screen and the network go away. The manager waits until a registered program has
/// left the bus. The buses are used in the background, and nothing is reported without them.
@MainActor
public final class SessionEnd {
    /// A session manager, with the interfaces of the manager and of its clients; their methods and signals are the same.
    private struct Manager {
        let service, path, interface, client: String
    }

    /// The managers of GNOME, MATE, Cinnamon and their relatives, and of Xfce.
    private static let managers = [
        Manager(
            service: "org.gnome.SessionManager", path: "/org/gnome/SessionManager",
            interface: "org.gnome.SessionManager", client: "org.gnome.SessionManager.ClientPrivate"),
        Manager(
            service: "org.xfce.SessionManager", path: "/org/xfce/SessionManager",
            interface: "org.xfce.Session.Manager", client: "org.xfce.Session.Client"),
    ]
    private static let login = DBusObject(
        "org.freedesktop.login1", path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager"
    )

    private let id: String
    private let ended: @MainActor () -> Void
    private var signals: [DBusSubscription] = []

    /// Observes both buses until the object is released; `ended` is called when the program has to end.
    public init(id: String, ended: @escaping @MainActor () -> Void) {
        (self.id, self.ended) = (id, ended)
        Task { [weak self] in
            guard let bus = try? await DBusConnection.connect(to: .session) else { return }
            for manager in Self.managers where await self?.register(at: manager, on: bus) == true { break }
        }
        Task { [weak self] in
            if let bus = try? await DBusConnection.connect(to: .system) { self?.use(system: bus) }
        }
    }

    private func register(at manager: Manager, on bus: DBusConnection) async -> Bool {
        let object = DBusObject(manager.service, path: manager.path, interface: manager.interface)
        let answer = try? await bus.call(
            object, "RegisterClient", [.string(id), .string("")], startsService: false)
        guard let path = answer?[0]?.string else { return false }
        let client = DBusObject(manager.service, path: path, interface: manager.client)
        signals.append(
            bus.listen(to: "QueryEndSession", of: client) { _ in
                // The user's drafts are kept, and calls end in any case: nothing is a reason to stay.
                bus.call(client, "EndSessionResponse", [.bool(true), .string("")]) { _ in }
            })
        for signal in ["EndSession", "Stop"] {
            signals.append(bus.listen(to: signal, of: client) { [ended] _ in ended() })
        }
        return true
    }

    private func use(system bus: DBusConnection) {
        signals.append(
            bus.listen(to: "PrepareForShutdown", of: Self.login) { [ended] values in
                if values.type == "(b)", values[0]?.bool == true { ended() }
            })
    }
}
