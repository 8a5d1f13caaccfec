// SPDX-License-Identifier: GPL-3.0-or-later

/// An icon in the status area of the desktop (org.kde.StatusNotifierItem), with a menu.
///
/// A desktop has a status area if the service org.kde.StatusNotifierWatcher runs. The icon appears with that service,
/// also if it starts later or again; without it, nothing is offered on the bus.
@MainActor
public final class StatusIcon {
    public struct MenuItem: Hashable, Sendable {
        public let id, label: String
        /// The state of an item that is on or off; nil for any other item.
        public let isOn: Bool?
        public let isEnabled: Bool

        public init(id: String, label: String, isOn: Bool? = nil, isEnabled: Bool = true) {
            (self.id, self.label, self.isOn, self.isEnabled) = (id, label, isOn, isEnabled)
        }
    }

    public struct Appearance: Hashable, Sendable {
        /// The plain text of the tooltip below the program's name.
        public var text: String
        /// The name of the icon that asks for attention; empty if nothing does.
        public var attentionIcon: String
        public var menu: [MenuItem]

        public init(text: String, attentionIcon: String, menu: [MenuItem]) {
            (self.text, self.attentionIcon, self.menu) = (text, attentionIcon, menu)
        }
    }

    /// Called when the icon is clicked, with an activation token if the desktop provides one.
    public var onActivate: (@MainActor (String?) -> Void)?
    public var onChoice: (@MainActor (String) -> Void)?

    private let name, icon, iconFolder: String
    private var appearance: Appearance
    private var watch: DBusSubscription?
    private var shared: DBusConnection?
    /// The icon's own connection: the desktop removes the icon when the connection closes.
    private var own: DBusConnection?
    private var item: DBusExport?
    private var menu: StatusMenu?
    private var isLooking = false
    private var isStale = false
    private var token: String?

    private static let service = "org.kde.StatusNotifierWatcher"
    private static let watcher = DBusObject(service, path: "/StatusNotifierWatcher")
    private static let path = "/StatusNotifierItem"

    /// The icon appears when the desktop has a status area, until this object is released.
    ///
    /// `icon` is its name and the item's id; `iconFolder` has a theme with it, or is empty for the system's.
    public init(name: String, icon: String, iconFolder: String, appearance: Appearance) {
        (self.name, self.icon, self.iconFolder, self.appearance) = (name, icon, iconFolder, appearance)
        Task { [weak self] in
            if let bus = try? await DBusConnection.connect(to: .session) { self?.use(bus) }
        }
    }

    public func show(_ new: Appearance) {
        let old = appearance
        guard new != old else { return }
        appearance = new
        if new.text != old.text { item?.emit("NewToolTip") }
        if new.attentionIcon != old.attentionIcon {
            item?.emit("NewAttentionIcon")
            item?.emit("NewIcon")
            item?.emit("NewStatus", [.string(status)])
        }
        menu?.show(new.menu)
    }

    private var status: String { appearance.attentionIcon.isEmpty ? "Active" : "NeedsAttention" }

    // MARK: - Status Area

    private func use(_ bus: DBusConnection) {
        shared = bus
        watch = bus.watchOwner(of: Self.service) { [weak self] in self?.look() }
        look()
    }

    /// Offers the icon to the status area that is there now, or withdraws it if there is none.
    private func look() {
        (item, menu, own) = (nil, nil, nil)
        isStale = isLooking
        guard !isLooking, let shared else { return }
        isLooking = true
        Task { [weak self] in
            let isThere = await shared.isRunning(Self.service)
            var own: DBusConnection?
            if isThere { own = try? await DBusConnection.connectPrivately(to: .session) }
            guard let self else { return }
            isLooking = false
            // The status area has come or gone meanwhile.
            if isStale { look() } else if let own { offer(on: own) }
        }
    }

    private func offer(on bus: DBusConnection) {
        item = try? bus.export(
            Self.description, at: Self.path, property: { [weak self] in self?.property($0) },
            called: { [weak self] in self?.call($0, $1) })
        menu = try? StatusMenu(appearance.menu, on: bus) { [weak self] in self?.onChoice?($0) }
        own = bus
        bus.call(Self.watcher, "RegisterStatusNotifierItem", [.string(Self.path)], startsService: false) {
            _ in
        }
    }

    // MARK: - D-Bus

    private func property(_ name: String) -> Variant? {
        switch name {
        case "Category": .string("Communications")
        case "Id": .string(icon)
        case "Title": .string(self.name)
        case "Status": .string(status)
        case "WindowId": .int32(0)
        // Some status areas, such as MATE's, show nothing of the status and the icon for attention.
        case "IconName": .string(appearance.attentionIcon.isEmpty ? icon : appearance.attentionIcon)
        case "IconThemePath": .string(iconFolder)
        case "AttentionIconName": .string(appearance.attentionIcon)
        case "OverlayIconName", "AttentionMovieName": .string("")
        case "IconPixmap", "OverlayIconPixmap", "AttentionIconPixmap": Self.noPixmap
        case "ToolTip":
            .tuple([
                .string(icon), Self.noPixmap, .string(self.name), .string(Markup.escaped(appearance.text)),
            ])
        case "ItemIsMenu": .bool(false)
        case "Menu": .objectPath(StatusMenu.path)
        default: nil
        }
    }

    private func call(_ method: String, _ values: Variant) -> [Variant]? {
        switch method {
        case "ProvideXdgActivationToken": token = values[0]?.string
        case "Activate", "SecondaryActivate":
            let token = token
            self.token = nil
            onActivate?(token)
        default: break
        }
        return []
    }

    private static var noPixmap: Variant { .array(of: "(iiay)", []) }

    private static let description = """
        <node><interface name="org.kde.StatusNotifierItem">
          <property name="Category" type="s" access="read"/>
          <property name="Id" type="s" access="read"/>
          <property name="Title" type="s" access="read"/>
          <property name="Status" type="s" access="read"/>
          <property name="WindowId" type="i" access="read"/>
          <property name="IconName" type="s" access="read"/>
          <property name="IconPixmap" type="a(iiay)" access="read"/>
          <property name="IconThemePath" type="s" access="read"/>
          <property name="OverlayIconName" type="s" access="read"/>
          <property name="OverlayIconPixmap" type="a(iiay)" access="read"/>
          <property name="AttentionIconName" type="s" access="read"/>
          <property name="AttentionIconPixmap" type="a(iiay)" access="read"/>
          <property name="AttentionMovieName" type="s" access="read"/>
          <property name="ToolTip" type="(sa(iiay)ss)" access="read"/>
          <property name="ItemIsMenu" type="b" access="read"/>
          <property name="Menu" type="o" access="read"/>
          <method name="ContextMenu"><arg type="i" direction="in"/><arg type="i" direction="in"/></method>
          <method name="Activate"><arg type="i" direction="in"/><arg type="i" direction="in"/></method>
          <method name="SecondaryActivate"><arg type="i" direction="in"/><arg type="i" direction="in"/></method>
          <method name="Scroll"><arg type="i" direction="in"/><arg type="s" direction="in"/></method>
          <method name="ProvideXdgActivationToken"><arg type="s" direction="in"/></method>
          <signal name="NewTitle"/>
          <signal name="NewIcon"/>
          <signal name="NewAttentionIcon"/>
          <signal name="NewOverlayIcon"/>
          <signal name="NewToolTip"/>
          <signal name="NewStatus"><arg type="s"/></signal>
        </interface></node>
        """
}
