// SPDX-License-Identifier: GPL-3.0-or-later

/// The actions of an application or a window, each with the closure that it runs.
///
/// The actions of the application are also on the session bus, for scripts and for the desktop.
@MainActor
public struct ActionMap {
    private let map: OpaquePointer
    /// The group of actions, which may outlive its widget; nil for the actions of an application or a window.
    private let group: GObjectRef?

    /// `owner` is a `GtkApplication` or a `GtkApplicationWindow`.
    public init(_ owner: UnsafeMutableRawPointer) {
        (map, group) = (OpaquePointer(owner), nil)
    }

    /// Creates an empty group of actions for a widget, whose names begin with a prefix and a dot.
    public init(of widget: Widget, prefix: String) {
        let group = GObjectRef(taking: UnsafeMutableRawPointer(g_simple_action_group_new()))
        (map, self.group) = (group.opaque, group)
        gtk_widget_insert_action_group(widget, prefix, group.opaque)
    }

    public func add(_ name: String, _ body: @escaping @MainActor () -> Void) {
        add(name, parameter: nil) { _ in body() }
    }

    /// Adds an action with a string parameter, which is valid UTF-8, as D-Bus requires.
    public func add(_ name: String, text body: @escaping @MainActor (String) -> Void) {
        add(name, parameter: "s") { parameter in
            guard let parameter, let text = g_variant_get_string(parameter, nil) else { return }
            body(String(cString: text))
        }
    }

    public func add(_ name: String, choice: String, _ body: @escaping @MainActor (String) -> Void) {
        let type = g_variant_type_new("s")
        defer { g_variant_type_free(type) }
        let action = GObjectRef(
            taking: UnsafeMutableRawPointer(
                g_simple_action_new_stateful(name, type, g_variant_new_string(choice))))
        Signal.connectPointer(UnsafeMutableRawPointer(action.object), "change-state") { value in
            guard let value, let text = g_variant_get_string(OpaquePointer(value), nil) else { return }
            body(String(cString: text))
        }
        g_action_map_add_action(map, action.opaque)
    }

    public func add(_ name: String, isOn: Bool, _ body: @escaping @MainActor (Bool) -> Void) {
        let state = g_variant_new_boolean(isOn ? 1 : 0)
        let action = GObjectRef(
            taking: UnsafeMutableRawPointer(g_simple_action_new_stateful(name, nil, state)))
        Signal.connectPointer(UnsafeMutableRawPointer(action.object), "change-state") { value in
            if let value { body(g_variant_get_boolean(OpaquePointer(value)) != 0) }
        }
        g_action_map_add_action(map, action.opaque)
    }

    public func setOn(_ name: String, _ isOn: Bool) {
        guard let action = g_action_map_lookup_action(map, name) else { return }
        g_simple_action_set_state(action, g_variant_new_boolean(isOn ? 1 : 0))
    }

    public func setChoice(_ name: String, _ choice: String) {
        guard let action = g_action_map_lookup_action(map, name) else { return }
        g_simple_action_set_state(action, g_variant_new_string(choice))
    }

    /// Enables or disables an action; the buttons and menu items of a disabled action are insensitive.
    public func setEnabled(_ name: String, _ enabled: Bool) {
        guard let action = g_action_map_lookup_action(map, name) else { return }
        g_simple_action_set_enabled(action, enabled ? 1 : 0)
    }

    private func add(
        _ name: String, parameter: String?, _ body: @escaping @MainActor (OpaquePointer?) -> Void
    ) {
        let type = parameter.map { g_variant_type_new($0) }
        defer { type.map { g_variant_type_free($0) } }
        let action = GObjectRef(taking: UnsafeMutableRawPointer(g_simple_action_new(name, type ?? nil)))
        Signal.connectPointer(UnsafeMutableRawPointer(action.object), "activate") { parameter in
            body(parameter.map { OpaquePointer($0) })
        }
        g_action_map_add_action(map, action.opaque)
    }
}
