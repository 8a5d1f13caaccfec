// SPDX-License-Identifier: GPL-3.0-or-later

/// The menu of a status icon, which the desktop draws (com.canonical.dbusmenu).
///
/// It has no submenus. The desktop names an item by its position, which is 1 for the first.
@MainActor
final class StatusMenu {
    static let path = "/StatusNotifierItem/Menu"

    private let onChoice: @MainActor (String) -> Void
    private var items: [StatusIcon.MenuItem]
    private var revision: UInt32 = 1
    private var export: DBusExport?

    init(
        _ items: [StatusIcon.MenuItem], on bus: DBusConnection,
        _ onChoice: @escaping @MainActor (String) -> Void
    ) throws(GLibError) {
        (self.items, self.onChoice) = (items, onChoice)
        export = try bus.export(
            Self.description, at: Self.path, property: { Self.property($0) },
            called: { [weak self] in self?.call($0, $1) })
    }

    func show(_ items: [StatusIcon.MenuItem]) {
        guard items != self.items else { return }
        self.items = items
        revision += 1
        export?.emit("LayoutUpdated", [.uint32(revision), .int32(0)])
    }

    // MARK: - Items

    private typealias Entries = [(key: String, value: Variant)]

    private func entries(of id: Int64) -> Entries? {
        if id == 0 { return [("children-display", .string("submenu"))] }
        guard id > 0, id <= items.count else { return nil }
        let item = items[Int(id) - 1]
        var entries: Entries = [("label", .string(item.label)), ("enabled", .bool(item.isEnabled))]
        if let isOn = item.isOn {
            entries += [("toggle-type", .string("checkmark")), ("toggle-state", .int32(isOn ? 1 : 0))]
        }
        return entries
    }

    private func layout(of id: Int64, deep: Bool) -> Variant? {
        guard let entries = entries(of: id) else { return nil }
        let children =
            id == 0 && deep ? (0..<items.count).compactMap { layout(of: Int64($0) + 1, deep: false) } : []
        return .tuple([
            .int32(Int32(id)), .dictionary(entries), .array(of: "v", children.map { .boxed($0) }),
        ])
    }

    private func groups(_ ids: some Sequence<Int64>) -> Variant {
        .array(
            of: "(ia{sv})",
            ids.compactMap { id in
                entries(of: id).map { .tuple([.int32(Int32(id)), .dictionary($0)]) }
            })
    }

    /// Handles an event; any program on the bus can send one, so an unknown item is ignored.
    private func handle(_ id: Variant?, _ event: Variant?) -> Bool {
        guard let id = id?.integer, id > 0, id <= items.count else { return false }
        let item = items[Int(id) - 1]
        // The call is answered first, because an item may end the program.
        if event?.string == "clicked", item.isEnabled { MainLoop.soon { [onChoice] in onChoice(item.id) } }
        return true
    }

    // MARK: - D-Bus

    private static func property(_ name: String) -> Variant? {
        switch name {
        case "Version": .uint32(3)
        case "TextDirection": .string(gtk_widget_get_default_direction() == GTK_TEXT_DIR_RTL ? "rtl" : "ltr")
        case "Status": .string("normal")
        case "IconThemePath": .strings([])
        default: nil
        }
    }

    private func call(_ method: String, _ values: Variant) -> [Variant]? {
        switch method {
        case "GetLayout":
            guard let layout = layout(of: values[0]?.integer ?? -1, deep: values[1]?.integer != 0) else {
                return nil
            }
            return [.uint32(revision), layout]
        case "GetGroupProperties":
            let ids = (values[0]?.children.prefix(Self.most).compactMap(\.integer)) ?? []
            return [groups(ids.isEmpty ? (0...items.count).map { Int64($0) } : ids)]
        case "GetProperty":
            let found = entries(of: values[0]?.integer ?? -1)?.first { $0.key == values[1]?.string }
            return found.map { [.boxed($0.value)] }
        case "Event": return handle(values[0], values[1]) ? [] : nil
        case "EventGroup":
            var unknown: [Variant] = []
            for event in values[0]?.children.prefix(Self.most).map({ $0 }) ?? [] {
                if !handle(event[0], event[1]), let id = event[0] { unknown.append(id) }
            }
            return [.array(of: "i", unknown)]
        case "AboutToShow": return [.bool(false)]
        case "AboutToShowGroup": return [.array(of: "i", []), .array(of: "i", [])]
        default: return nil
        }
    }

    /// The greatest number of elements that are read in a list from the bus.
    private static let most = 32

    private static let description = """
        <node><interface name="com.canonical.dbusmenu">
          <property name="Version" type="u" access="read"/>
          <property name="TextDirection" type="s" access="read"/>
          <property name="Status" type="s" access="read"/>
          <property name="IconThemePath" type="as" access="read"/>
          <method name="GetLayout">
            <arg type="i" direction="in"/><arg type="i" direction="in"/><arg type="as" direction="in"/>
            <arg type="u" direction="out"/><arg type="(ia{sv}av)" direction="out"/>
          </method>
          <method name="GetGroupProperties">
            <arg type="ai" direction="in"/><arg type="as" direction="in"/>
            <arg type="a(ia{sv})" direction="out"/>
          </method>
          <method name="GetProperty">
            <arg type="i" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="out"/>
          </method>
          <method name="Event">
            <arg type="i" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="in"/>
            <arg type="u" direction="in"/>
          </method>
          <method name="EventGroup">
            <arg type="a(isvu)" direction="in"/><arg type="ai" direction="out"/>
          </method>
          <method name="AboutToShow"><arg type="i" direction="in"/><arg type="b" direction="out"/></method>
          <method name="AboutToShowGroup">
            <arg type="ai" direction="in"/><arg type="ai" direction="out"/><arg type="ai" direction="out"/>
          </method>
          <signal name="ItemsPropertiesUpdated"><arg type="a(ia{sv})"/><arg type="a(ias)"/></signal>
          <signal name="LayoutUpdated"><arg type="u"/><arg type="i"/></signal>
          <signal name="ItemActivationRequested"><arg type="i"/><arg type="u"/></signal>
        </interface></node>
        """
}
