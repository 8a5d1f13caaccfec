// SPDX-License-Identifier: GPL-3.0-or-later

/// A request to the desktop not to suspend the machine.
///
/// It goes to the session manager of GNOME and its relatives, else to the login manager of systemd or elogind, else, as
/// in a sandbox, to the Inhibit portal. The portal is the last, because it accepts requests that its backend then
/// refuses: that of GTK, which many desktops use, only passes suspension on to GNOME. `gtk_application_inhibit` would
/// wait for the answer, for any time. The desktop withdraws the request itself if the program ends.
@MainActor
public final class SuspendInhibitor {
    private enum Held {
        case cookie(UInt32)
        case portal(String)
        case lock(ReceivedDescriptor)
    }

    private let id: String
    private var reason: String?
    private var held: Held?
    private var isAsking = false

    private static let manager = DBusObject("org.gnome.SessionManager", path: "/org/gnome/SessionManager")
    private static let desktop = "org.freedesktop.portal.Desktop"
    private static let portal = DBusObject(
        desktop, path: "/org/freedesktop/portal/desktop", interface: "org.freedesktop.portal.Inhibit")
    private static let login = DBusObject(
        "org.freedesktop.login1", path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager"
    )
    /// The flag for suspension, which is the same in the first two interfaces.
    private static let suspension: UInt32 = 4

    public init(id: String) { self.id = id }

    /// Prevents suspension for a reason, which the desktop may show to the user; nil permits suspension.
    public func set(_ reason: String?) {
        guard reason != self.reason else { return }
        self.reason = reason
        settle()
    }

    /// Brings the request in line with `reason`, one call at a time.
    private func settle() {
        guard !isAsking, (reason != nil) != (held != nil) else { return }
        isAsking = true
        Task {
            if let held {
                await release(held)
                self.held = nil
            } else if let reason {
                held = await ask(reason)
            }
            let isRefused = reason != nil && held == nil
            isAsking = false
            // A refused request is not repeated before the next reason.
            if !isRefused { settle() }
        }
    }

    /// Returns the request that the first of the desktop's services has accepted.
    private func ask(_ reason: String) async -> Held? {
        let session = try? await DBusConnection.connect(to: .session)
        if let session {
            let request: [Variant] = [.string(id), .uint32(0), .string(reason), .uint32(Self.suspension)]
            let answer = try? await session.call(Self.manager, "Inhibit", request, startsService: false)
            if let cookie = answer?[0]?.uint32 { return .cookie(cookie) }
        }
        if let system = try? await DBusConnection.connect(to: .system) {
            let request = ["sleep", "Touchtone", reason, "block"].map(Variant.string)
            let lock = try? await system.callForDescriptor(
                Self.login, "Inhibit", request, startsService: false)
            if let lock { return .lock(lock) }
        }
        let options = Variant.dictionary([("reason", .string(reason))])
        let handle = try? await session?.call(
            Self.portal, "Inhibit", [.string(""), .uint32(Self.suspension), options])
        return (handle?[0]?.string).map(Held.portal)
    }

    private func release(_ held: Held) async {
        guard let bus = try? await DBusConnection.connect(to: .session) else { return }
        switch held {
        case .cookie(let cookie):
            _ = try? await bus.call(Self.manager, "Uninhibit", [.uint32(cookie)], startsService: false)
        case .portal(let path):
            let request = DBusObject(Self.desktop, path: path, interface: "org.freedesktop.portal.Request")
            _ = try? await bus.call(request, "Close", startsService: false)
        case .lock:
            break  // Its descriptor closes when it is released.
        }
    }
}
