// SPDX-License-Identifier: GPL-3.0-or-later

/// The desktop's preferences, from its settings portal (`org.freedesktop.portal.Settings`).
///
/// The portal is used in the background. If there is none, or it does not respond, nothing is reported.
@MainActor
public final class PortalSettings {
    public struct Value: Hashable, Sendable {
        /// The namespace, such as `org.freedesktop.appearance`.
        public let namespace: String
        /// The key, such as `color-scheme`.
        public let key: String
        /// The value; a boolean is 0 or 1.
        public let number: UInt32
    }

    private let namespaces: [String]
    private let told: @MainActor (Value) -> Void
    private var signal: DBusSubscription?

    private static let portal = DBusObject(
        "org.freedesktop.portal.Desktop", path: "/org/freedesktop/portal/desktop",
        interface: "org.freedesktop.portal.Settings")

    /// Requests all numbers and booleans in the namespaces, and observes their changes.
    public init(namespaces: [String], told: @escaping @MainActor (Value) -> Void) {
        (self.namespaces, self.told) = (namespaces, told)
        Task { [weak self] in
            if let bus = try? await DBusConnection.connect(to: .session) { self?.use(bus) }
        }
    }

    private func use(_ bus: DBusConnection) {
        signal = bus.listen(to: "SettingChanged", of: Self.portal) { [weak self] in self?.changed($0) }
        bus.call(Self.portal, "ReadAll", [.strings(namespaces)]) { [weak self] answer in
            if let answer = try? answer.get() { self?.answered(answer) }
        }
    }

    /// Reports the values in the reply, which is checked because any program can own the portal's name on the bus.
    private func answered(_ answer: Variant) {
        guard answer.type == "(a{sa{sv}})", let groups = answer[0]?.children else { return }
        for namespace in namespaces {
            guard let group = groups.first(where: { $0[0]?.string == namespace })?[1] else { continue }
            for entry in group.children { report(namespace, key: entry[0], value: entry[1]) }
        }
    }

    private func changed(_ values: Variant) {
        guard values.type == "(ssv)", let namespace = values[0]?.string, namespaces.contains(namespace) else {
            return
        }
        report(namespace, key: values[1], value: values[2])
    }

    private func report(_ namespace: String, key: Variant?, value: Variant?) {
        guard let key = key?.string, let value = value?.content,
            let number = value.uint32 ?? value.bool.map({ $0 ? 1 : 0 })
        else { return }
        told(Value(namespace: namespace, key: key, number: number))
    }
}
