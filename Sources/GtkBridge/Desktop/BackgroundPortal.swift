// SPDX-License-Identifier: GPL-3.0-or-later

/// The portal through which a program in a sandbox asks to run in the background and to start at login
/// (`org.freedesktop.portal.Background`).
@MainActor
public final class BackgroundPortal {
    struct Grant: Hashable, Sendable {
        let background, autostart: Bool
    }

    private struct Request {
        let number: UInt32
        let answered: @MainActor (Result<Grant, LoginStart.Problem>) -> Void
        var signals: [DBusSubscription] = []
    }

    private let command: [String]
    private let reason: @MainActor () -> String
    private var request: Request?
    private var last: UInt32 = 0

    private static let desktop = "org.freedesktop.portal.Desktop"
    private static let path = "/org/freedesktop/portal/desktop"
    private static let portal = DBusObject(
        desktop, path: path, interface: "org.freedesktop.portal.Background")

    /// `command` has the program and its arguments; `reason` returns a text in the user's language.
    public init(command: [String], reason: @escaping @MainActor () -> String) {
        (self.command, self.reason) = (command, reason)
    }

    /// Whether the program runs in a sandbox that has the portal.
    public static var isNeeded: Bool {
        let folder = g_get_user_runtime_dir().map { String(cString: $0) } ?? ""
        return ["/.flatpak-info", "\(folder)/flatpak-info"].contains { (path: String) in
            g_file_test(path, G_FILE_TEST_EXISTS) != 0
        }
    }

    /// Asks to run in the background, and to start at login or not; a later request replaces this one.
    ///
    /// The desktop may ask the user, who may take any time.
    func ask(autostart: Bool, answered: @escaping @MainActor (Result<Grant, LoginStart.Problem>) -> Void) {
        last += 1
        let number = last
        request = Request(number: number, answered: answered)
        Task { [weak self] in
            do throws(GLibError) {
                let bus = try await DBusConnection.connect(to: .session)
                try await self?.send(number, autostart: autostart, on: bus)
            } catch {
                self?.finish(number, .failure(.failed(error.message)))
            }
        }
    }

    private func send(_ number: UInt32, autostart: Bool, on bus: DBusConnection) async throws(GLibError) {
        let token = "touchtone\(number)"
        let sender = String(bus.uniqueName.drop { $0 == ":" }.map { $0 == "." ? "_" : $0 })
        // The answer may arrive before the call returns, so its path is known in advance.
        let expected = "\(Self.path)/request/\(sender)/\(token)"
        await listen(for: number, at: expected, on: bus)
        let options = Variant.dictionary([
            ("handle_token", .string(token)), ("reason", .string(reason())), ("autostart", .bool(autostart)),
            ("commandline", .strings(command)), ("dbus-activatable", .bool(false)),
        ])
        let answer = try await bus.call(Self.portal, "RequestBackground", [.string(""), options])
        // Portals before version 0.9 choose the path.
        if let path = answer[0]?.string, path != expected { await listen(for: number, at: path, on: bus) }
    }

    private func listen(for number: UInt32, at path: String, on bus: DBusConnection) async {
        let object = DBusObject(Self.desktop, path: path, interface: "org.freedesktop.portal.Request")
        let signal = bus.listen(to: "Response", of: object) { [weak self] in self?.respond(number, $0) }
        let end = bus.watchOwner(of: Self.desktop) { [weak self] in
            Task {
                guard await !bus.isRunning(Self.desktop) else { return }
                self?.finish(number, .failure(.failed("\(Self.desktop) has ended")))
            }
        }
        if request?.number == number { request?.signals += [signal, end] }
    }

    private func respond(_ number: UInt32, _ values: Variant) {
        guard values.type == "(ua{sv})", let code = values[0]?.uint32 else { return }
        func flag(_ name: String) -> Bool {
            values[1]?.children.first { $0[0]?.string == name }?[1]?.content?.bool ?? false
        }
        let grant = Grant(background: flag("background"), autostart: flag("autostart"))
        finish(number, code == 0 ? .success(grant) : .failure(.refused))
    }

    private func finish(_ number: UInt32, _ result: Result<Grant, LoginStart.Problem>) {
        guard let request, request.number == number else { return }
        self.request = nil
        request.answered(result)
    }
}
