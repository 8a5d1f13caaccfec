// SPDX-License-Identifier: GPL-3.0-or-later

/// Tells when the desktop locks itself: its screen saver comes on, its login session is locked, the machine goes to sleep.
///
/// The buses are asked in the background, and where there is none nothing is told. A signal can come from anybody on
/// the session's bus; the worst that it does is to lock.
@MainActor
public final class DesktopLock {
    private let told: @MainActor () -> Void
    private let opened: @MainActor () -> Void
    private let awake: @MainActor () -> Void
    private var signals: [DBusSubscription] = []

    /// Listens on both buses, for as long as it is kept.
    ///
    /// - Parameters:
    ///   - told: called when the desktop locks itself, and before the machine sleeps.
    ///   - opened: called when its screen saver has gone, or its login session is open again.
    ///   - awake: called when the machine has slept.
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
        // org.freedesktop.ScreenSaver, and those that GNOME, MATE, Cinnamon and Xfce have in its place.
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
        // Its own session only: that of another seat is no concern of this one's.
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
