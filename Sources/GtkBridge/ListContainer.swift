// SPDX-License-Identifier: GPL-3.0-or-later

/// A container whose owner determines its height and the positions of its children.
///
/// Lists that create only the visible rows need it: GTK's own containers derive their size from all
/// children. It is a GObject class, because GTK requests sizes through class functions, and lives as long as
/// its widget.
@MainActor
public final class ListContainer {
    public let widget: Widget
    /// A closure that returns the height for a width, in pixels.
    public var height: @MainActor (_ width: gint) -> gint = { _ in 0 }
    /// A closure that returns the least width, in pixels.
    public var width: @MainActor () -> gint = { 1 }
    /// A closure that allocates the children after the container was allocated (`gtk_widget_size_allocate`).
    public var place: @MainActor (GtkAllocation) -> Void = { _ in }
    /// A closure that moves the keyboard focus into or within the container, and returns false to pass the focus on.
    public var focus: @MainActor (GtkDirectionType) -> Bool = { _ in false }
    /// The children, in the order that assistive tools see.
    public private(set) var children: [Widget] = []
    private var insertion: Int?

    public init?() {
        guard let object = g_object_new_with_properties(Self.type, 0, nil, nil) else { return nil }
        widget = object.cast()
        // The widget retains its host, so that callers need not.
        g_object_set_data_full(
            object, Self.key, Unmanaged.passRetained(self).toOpaque(),
            { data in if let data { Unmanaged<ListContainer>.fromOpaque(data).release() } })
    }

    public func insert(_ child: Widget, at index: Int) {
        insertion = index
        gtk_container_add(widget.cast(), child)
        insertion = nil
    }

    public func remove(_ child: Widget) {
        gtk_container_remove(widget.cast(), child)
    }

    private func added(_ child: Widget) {
        children.insert(child, at: min(insertion ?? children.count, children.count))
        gtk_widget_set_parent(child, widget)
    }

    private func removed(_ child: Widget) {
        guard let index = children.firstIndex(of: child) else { return }
        children.remove(at: index)
        gtk_widget_unparent(child)
    }

    // MARK: - GObject class

    private nonisolated static let key = "touchtone-row-host"

    private static let type: GType = {
        var parent = GTypeQuery()
        g_type_query(gtk_container_get_type(), &parent)
        return g_type_register_static_simple(
            gtk_container_get_type(), "TouchtoneRowHost", parent.class_size, fillClass, parent.instance_size,
            { instance, _ in
                guard let instance else { return }
                gtk_widget_set_has_window(instance.cast(), 0)
            }, GTypeFlags(rawValue: 0))
    }()

    /// Runs `body` with the host of a widget; GTK calls on the main thread.
    private nonisolated static func with(
        _ instance: UnsafeMutableRawPointer?, _ body: @MainActor (ListContainer) -> Void
    ) {
        guard let instance,
            let data = g_object_get_data(instance.assumingMemoryBound(to: GObject.self), key)
        else { return }
        nonisolated(unsafe) let address = data  // It stays on the main thread.
        MainActor.assumeIsolated { body(Unmanaged<ListContainer>.fromOpaque(address).takeUnretainedValue()) }
    }

    private nonisolated static let fillClass: GClassInitFunc = { data, _ in
        guard let data else { return }
        let widgets = data.assumingMemoryBound(to: GtkWidgetClass.self)
        widgets.pointee.get_request_mode = { _ in GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH }
        widgets.pointee.get_preferred_width = { widget, least, natural in
            nonisolated(unsafe) var width: gint = 1  // It stays on the main thread.
            ListContainer.with(widget) { width = $0.width() }
            least?.pointee = width
            natural?.pointee = width
        }
        widgets.pointee.get_preferred_height = { widget, least, natural in
            ListContainer.measure(widget, gtk_widget_get_allocated_width(widget), least, natural)
        }
        widgets.pointee.get_preferred_height_for_width = { ListContainer.measure($0, $1, $2, $3) }
        widgets.pointee.size_allocate = { widget, allocation in
            guard let widget, let allocation else { return }
            gtk_widget_set_allocation(widget, allocation)
            let place = allocation.pointee
            ListContainer.with(widget) { $0.place(place) }
        }
        widgets.pointee.focus = { widget, direction in
            nonisolated(unsafe) var isTaken = false  // It stays on the main thread.
            ListContainer.with(widget) { isTaken = $0.focus(direction) }
            return isTaken ? 1 : 0
        }
        let containers = data.assumingMemoryBound(to: GtkContainerClass.self)
        containers.pointee.child_type = { _ in gtk_widget_get_type() }
        containers.pointee.add = { container, child in
            nonisolated(unsafe) let child = child  // It stays on the main thread.
            ListContainer.with(container) { host in if let child { host.added(child) } }
        }
        containers.pointee.remove = { container, child in
            nonisolated(unsafe) let child = child  // It stays on the main thread.
            ListContainer.with(container) { host in if let child { host.removed(child) } }
        }
        containers.pointee.forall = { container, _, callback, data in
            nonisolated(unsafe) let data = data  // It stays on the main thread.
            // Iterate over a copy, since the callback may remove children.
            ListContainer.with(container) { host in for child in host.children { callback?(child, data) } }
        }
    }

    private nonisolated static func measure(
        _ widget: Widget?, _ width: gint, _ least: UnsafeMutablePointer<gint>?,
        _ natural: UnsafeMutablePointer<gint>?
    ) {
        nonisolated(unsafe) var height: gint = 0  // It stays on the main thread.
        with(widget) { height = $0.height(width) }
        least?.pointee = height
        natural?.pointee = height
    }
}
