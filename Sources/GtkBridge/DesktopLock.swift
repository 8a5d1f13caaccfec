// SPDX-License-Identifier: GPL-3.0-or-later

/// An observer of the desktop's lock: the screen saver, the lock of the login session, and suspension.
///
/// The buses are used in the background, and nothing is reported without them. Any program can send a signal on the
/// session bus; the worst effect is that the phone locks.
@MainActor
public final class DesktopLock {
    private let told: @MainActor () -> Void
    private let opened: @MainActor () -> Void
    private let awake: @MainActor () -> Void
    private var signals: [DBusSubscription] = []

    /// Observes both buses until the object is released: `told` is called when the desktop locks, and before the
    /// machine sleeps, `opened` when the screen saver ends or the session is unlocked.
    public init(
        told: @escaping @MainActor () -> Void, opened: @escaping @MainActor () -> Void = {},
        awake: @escaping @MainActor () -> Void = {}
    ) {
        (self.told, self.opened, self.awake) = (told, opened, awake)
        Task { [weak self] in
            if let bus = try? await DBusConnection.connect(to: .session) { self?.use(session: bus) }
        }
        Task { [weak self] in
            if let bus = try? await DBusConnection.connect(to: .system) { self?.use(system: bus) }
        }
    }

    private func use(session bus: DBusConnection) {
        // This is org.freedesktop.ScreenSaver, and the equivalents of GNOME, MATE, Cinnamon and Xfce.
        signals.append(
            bus.listen(to: "ActiveChanged") { [told, opened] interface, values in
                guard interface.hasSuffix(".ScreenSaver"), values.type == "(b)",
                    let isActive = values[0]?.bool
                else { return }
                if isActive { told() } else { opened() }
            })
    }

    private static let login = "org.freedesktop.login1"
    private static let manager = DBusObject(
        login, path: "/org/freedesktop/login1", interface: "\(login).Manager")

    private func use(system bus: DBusConnection) {
        signals.append(
            bus.listen(to: "PrepareForSleep", of: Self.manager) { [told, awake] values in
                guard values.type == "(b)", let isSoon = values[0]?.bool else { return }
                if isSoon { told() } else { awake() }
            })
        // The sessions of other seats are irrelevant.
        let id = g_getenv("XDG_SESSION_ID").map { String(cString: $0) } ?? "auto"
        bus.call(Self.manager, "GetSession", [.string(id)]) { [weak self, told, opened] answer in
            guard let path = try? answer.get()[0]?.string else { return }
            let session = DBusObject(Self.login, path: path, interface: "\(Self.login).Session")
            for (member, body) in [("Lock", told), ("Unlock", opened)] {
                self?.signals.append(bus.listen(to: member, of: session) { _ in body() })
            }
        }
    }
}
