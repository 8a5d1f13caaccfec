// SPDX-License-Identifier: GPL-3.0-or-later

/// A request to the desktop not to suspend the machine.
///
/// It goes to the session manager of GNOME and its relatives, or to the Inhibit portal. `gtk_application_inhibit` would
/// wait for the answer, for any time. The desktop withdraws the request itself if the program ends.
@MainActor
public final class SuspendInhibitor {
    /// The request in effect.
    private enum Held {
        case cookie(UInt32)
        case portal(String)
    }

    private let id: String
    private var reason: String?
    private var held: Held?
    private var isAsking = false

    private static let manager = DBusObject("org.gnome.SessionManager", path: "/org/gnome/SessionManager")
    private static let desktop = "org.freedesktop.portal.Desktop"
    private static let portal = DBusObject(
        desktop, path: "/org/freedesktop/portal/desktop", interface: "org.freedesktop.portal.Inhibit")
    /// The flag for suspension, which is the same in both interfaces.
    private static let suspension: UInt32 = 4

    /// Creates an inhibitor for a program with that id, which permits suspension.
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
            if let bus = try? await DBusConnection.connect(to: .session) {
                if let held { await release(held, bus) } else { await ask(bus) }
            }
            let isRefused = reason != nil && held == nil
            isAsking = false
            // A refused request is not repeated before the next reason.
            if !isRefused { settle() }
        }
    }

    private func ask(_ bus: DBusConnection) async {
        guard let reason else { return }
        let request: [Variant] = [.string(id), .uint32(0), .string(reason), .uint32(Self.suspension)]
        if let answer = try? await bus.call(Self.manager, "Inhibit", request, startsService: false),
            let cookie = answer[0]?.uint32
        {
            held = .cookie(cookie)
            return
        }
        let options = Variant.dictionary([("reason", .string(reason))])
        let answer = try? await bus.call(
            Self.portal, "Inhibit", [.string(""), .uint32(Self.suspension), options])
        if let path = answer?[0]?.string { held = .portal(path) }
    }

    private func release(_ held: Held, _ bus: DBusConnection) async {
        switch held {
        case .cookie(let cookie):
            _ = try? await bus.call(Self.manager, "Uninhibit", [.uint32(cookie)], startsService: false)
        case .portal(let path):
            let request = DBusObject(Self.desktop, path: path, interface: "org.freedesktop.portal.Request")
            _ = try? await bus.call(request, "Close", startsService: false)
        }
        self.held = nil
    }
}
