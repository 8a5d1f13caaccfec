// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge

/// Tells when the desktop's keyring may have the passwords that it did not give before: it has started, or was unlocked.
///
/// It listens only: no keyring is started, and none asks the user anything.
@MainActor
final class KeyringReturn {
    private static let service = "org.freedesktop.secrets"
    private static let collection = "org.freedesktop.Secret.Collection"
    private static let properties = "org.freedesktop.DBus.Properties"

    private let returned: @MainActor () -> Void
    private var subscriptions: [DBusSubscription] = []

    /// Listens on the session bus, as soon as that is connected, for as long as this object exists.
    init(_ returned: @escaping @MainActor () -> Void) {
        self.returned = returned
        Task { [weak self] in
            if let bus = try? await DBusConnection.connect(to: .session) { self?.listen(on: bus) }
        }
    }

    private func listen(on bus: DBusConnection) {
        subscriptions = [
            bus.watchOwner(of: Self.service) { [weak self] in
                Task { if await bus.isRunning(Self.service) { self?.returned() } }
            },
            bus.listen(
                to: "PropertiesChanged", ofAnyObjectOf: Self.service, interface: Self.properties,
                argument: Self.collection
            ) { [weak self] _, values in
                let locked = values[1]?.children.first { $0[0]?.string == "Locked" }
                if locked?[1]?.content?.bool == false { self?.returned() }
            },
            // Some keyrings say only that a collection has changed.
            bus.listen(
                to: "CollectionChanged", ofAnyObjectOf: Self.service,
                interface: "org.freedesktop.Secret.Service"
            ) { [weak self] _, values in
                if let path = values[0]?.string { self?.look(at: path, on: bus) }
            },
        ]
    }

    /// Asks whether a collection is open.
    private func look(at path: String, on bus: DBusConnection) {
        bus.call(
            DBusObject(Self.service, path: path, interface: Self.properties), "Get",
            [.string(Self.collection), .string("Locked")], startsService: false
        ) { [weak self] answer in
            if case .success(let values) = answer, values[0]?.content?.bool == false { self?.returned() }
        }
    }
}
