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
    private var session: BusSignals?
    private var system: BusSignals?

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
        BusSignals.connect(to: G_BUS_TYPE_SESSION) { [weak self] in self?.use(session: $0) }
        BusSignals.connect(to: G_BUS_TYPE_SYSTEM) { [weak self] in self?.use(system: $0) }
    }

    private func use(session bus: BusSignals) {
        session = bus
        // org.freedesktop.ScreenSaver, and those that GNOME, MATE, Cinnamon and Xfce have in its place.
        bus.listen(member: "ActiveChanged") { [told, opened] interface, parameters in
            guard interface.hasSuffix(".ScreenSaver"), let isActive = parameters.flag else { return }
            if isActive { told() } else { opened() }
        }
    }

    private static let login = "org.freedesktop.login1"

    private func use(system bus: BusSignals) {
        system = bus
        bus.listen(sender: Self.login, interface: "\(Self.login).Manager", member: "PrepareForSleep") {
            [told, awake] _, parameters in
            guard let isSoon = parameters.flag else { return }
            if isSoon { told() } else { awake() }
        }
        // Its own session only: that of another seat is no concern of this one's.
        let id = g_getenv("XDG_SESSION_ID").map { String(cString: $0) } ?? "auto"
        bus.askForPath(
            service: Self.login, object: "/org/freedesktop/login1",
            method: "\(Self.login).Manager.GetSession",
            argument: id
        ) { [weak bus, told, opened] path in
            for (member, body) in [("Lock", told), ("Unlock", opened)] {
                bus?.listen(
                    sender: Self.login, interface: "\(Self.login).Session", member: member, path: path
                ) { _, _ in body() }
            }
        }
    }
}
