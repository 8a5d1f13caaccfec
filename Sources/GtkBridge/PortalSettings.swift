// SPDX-License-Identifier: GPL-3.0-or-later

/// The desktop's own preferences, as its settings portal tells them (`org.freedesktop.portal.Settings`).
///
/// The portal is asked in the background. Where there is none, or while it does not answer, nothing is told.
@MainActor
public final class PortalSettings {
    /// One preference: what it is called, and its value as a number.
    public struct Value: Hashable, Sendable {
        /// The group of preferences, such as `org.freedesktop.appearance`.
        public let namespace: String
        /// The preference, such as `color-scheme`.
        public let key: String
        /// Its value; of a boolean one 0 or 1.
        public let number: UInt32
    }

    private let namespaces: [String]
    private let told: @MainActor (Value) -> Void
    private var proxy: GObjectRef?

    /// Asks for all numbers and booleans of the namespaces, and listens for changes of them.
    public init(namespaces: [String], told: @escaping @MainActor (Value) -> Void) {
        self.namespaces = namespaces
        self.told = told
        g_dbus_proxy_new_for_bus(
            G_BUS_TYPE_SESSION, G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES, nil,
            "org.freedesktop.portal.Desktop",
            "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings", nil,
            { _, result, data in
                let proxy = g_dbus_proxy_new_for_bus_finish(result, nil)
                nonisolated(unsafe) let found = proxy  // It stays on this, the main, thread.
                Box<@MainActor (UnsafeMutablePointer<GDBusProxy>?) -> Void>.callOnce(data) { $0(found) }
            },
            Box<@MainActor (UnsafeMutablePointer<GDBusProxy>?) -> Void> { [weak self] in self?.use($0) }
                .retained)
    }

    private func use(_ found: UnsafeMutablePointer<GDBusProxy>?) {
        guard let found else { return }
        let proxy = GObjectRef(taking: UnsafeMutableRawPointer(found))
        self.proxy = proxy
        Signal.connectBusSignal(proxy.object) { [weak self] name, parameters in
            if name == "SettingChanged" { self?.changed(parameters) }
        }
        read(from: proxy)
    }

    private func read(from proxy: GObjectRef) {
        let wanted = namespaces.map { g_variant_new_string($0) }
        let list = wanted.withUnsafeBufferPointer {
            g_variant_new_array(nil, $0.baseAddress, gsize($0.count))
        }
        var arguments = [list]
        let tuple = g_variant_new_tuple(&arguments, 1)
        g_dbus_proxy_call(
            proxy.cast(), "ReadAll", tuple, G_DBUS_CALL_FLAGS_NONE, -1, nil,
            { source, result, data in
                // It stays on this, the main, thread.
                nonisolated(unsafe) let answer = source.flatMap {
                    g_dbus_proxy_call_finish($0.cast(), result, nil)
                }
                Box<@MainActor (OpaquePointer?) -> Void>.callOnce(data) { $0(answer) }
                answer.map { g_variant_unref($0) }
            }, Box<@MainActor (OpaquePointer?) -> Void> { [weak self] in self?.answered($0) }.retained)
    }

    /// `(a{sa{sv}})`, from whoever has the portal's name on the bus.
    private func answered(_ answer: OpaquePointer?) {
        guard let answer, isOfType(answer, "(a{sa{sv}})"), let groups = g_variant_get_child_value(answer, 0)
        else { return }
        defer { g_variant_unref(groups) }
        for namespace in namespaces {
            guard let group = g_variant_lookup_value(groups, namespace, nil) else { continue }
            defer { g_variant_unref(group) }
            for index in 0..<g_variant_n_children(group) {
                guard let entry = g_variant_get_child_value(group, index) else { continue }
                defer { g_variant_unref(entry) }
                tell(namespace: namespace, key: child(entry, 0), value: child(entry, 1))
            }
        }
    }

    /// `(ssv)`.
    private func changed(_ parameters: OpaquePointer) {
        guard isOfType(parameters, "(ssv)") else { return }
        let namespace = child(parameters, 0)
        defer { g_variant_unref(namespace) }
        guard let text = g_variant_get_string(namespace, nil).map({ String(cString: $0) }),
            namespaces.contains(text)
        else { return }
        tell(namespace: text, key: child(parameters, 1), value: child(parameters, 2))
    }

    /// Takes `key` and the boxed `value` over.
    private func tell(namespace: String, key: OpaquePointer?, value: OpaquePointer?) {
        defer { for variant in [key, value] { variant.map { g_variant_unref($0) } } }
        guard let key, let value, let name = g_variant_get_string(key, nil),
            let inner = g_variant_get_variant(value)
        else { return }
        defer { g_variant_unref(inner) }
        let number: UInt32
        if isOfType(inner, "u") {
            number = g_variant_get_uint32(inner)
        } else if isOfType(inner, "b") {
            number = g_variant_get_boolean(inner) != 0 ? 1 : 0
        } else {
            return
        }
        told(Value(namespace: namespace, key: String(cString: name), number: number))
    }

    private func child(_ variant: OpaquePointer, _ index: gsize) -> OpaquePointer? {
        g_variant_get_child_value(variant, index)
    }

    private func isOfType(_ variant: OpaquePointer, _ type: String) -> Bool {
        g_variant_get_type_string(variant).map { String(cString: $0) } == type
    }
}

extension Signal {
    /// Connects to the signals that a proxy's object sends on the bus: their names and parameters.
    static func connectBusSignal(
        _ proxy: UnsafeMutableRawPointer, _ handler: @escaping @MainActor (String, OpaquePointer) -> Void
    ) {
        let trampoline:
            @convention(c) (
                gpointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, OpaquePointer?, gpointer?
            ) -> Void = { _, _, name, parameters, data in
                guard let name, let parameters else { return }
                let text = String(cString: name)
                nonisolated(unsafe) let values = parameters  // They stay on this, the main, thread.
                Box<@MainActor (String, OpaquePointer) -> Void>.call(data) { $0(text, values) }
            }
        connect(proxy, "g-signal", trampoline, handler)
    }
}
