// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// Opens and closes the panel, which is beside the phone in a wide window and replaces it in a narrow (folded) one.
///
/// The setting `panel-visible` applies to a wide window. In a narrow one, the phone is shown first, and the panel is a
/// page to navigate to and back from.
@MainActor
final class PanelFolding {
    private let window: UnsafeMutablePointer<GtkWindow>
    private let leaflet: UnsafeMutablePointer<HdyLeaflet>
    private let phone, panel: Widget
    private let settings: Settings
    /// Whether the user has just opened the panel, so that it is shown if adding it turns out to fold the window.
    private var isPageWanted = false
    /// Called after the panel was opened or closed, or the window was folded or unfolded.
    var onChange: (@MainActor () -> Void)?

    init(
        window: UnsafeMutablePointer<GtkWindow>, leaflet: UnsafeMutablePointer<HdyLeaflet>,
        phone: Widget, panel: Widget, settings: Settings
    ) {
        (self.window, self.leaflet, self.phone) = (window, leaflet, phone)
        (self.panel, self.settings) = (panel, settings)
        settings.follow("panel-visible") { [weak self] in self?.followSetting() }
        Signal.connectNotify(leaflet, "notify::folded") { [weak self] in self?.foldedChanged() }
        Signal.connectNotify(leaflet, "notify::visible-child") { [weak self] in self?.onChange?() }
    }

    /// Whether the window is too narrow to show the phone and the panel together.
    var isFolded: Bool { isShown && hdy_leaflet_get_folded(leaflet) != 0 }

    private var isShown: Bool { gtk_widget_get_visible(panel) != 0 }

    var isOpen: Bool {
        isShown && (!isFolded || hdy_leaflet_get_visible_child(leaflet) == panel)
    }

    /// Whether the panel is visible together with the phone.
    var isBeside: Bool { isShown && !isFolded }

    func toggle() {
        if isFolded {
            hdy_leaflet_set_visible_child(leaflet, isOpen ? phone : panel)
        } else {
            isPageWanted = !isOpen
            settings[flag: "panel-visible"] = !isOpen
        }
    }

    /// Shows the phone if the panel replaces it in a narrow window.
    func showPhone() { if isFolded, isOpen { toggle() } }

    private func followSetting() {
        let visible = settings[flag: "panel-visible"]
        guard visible != isShown else { return }
        // Resize the window by the panel's width, so that the phone keeps its position and size.
        let widthBefore = gtk_widget_get_allocated_width(panel)
        gtk_widget_set_visible(panel, visible ? 1 : 0)
        // Without the panel, the phone is centred in the window.
        gtk_widget_set_hexpand(phone, visible ? 0 : 1)
        if !visible { hdy_leaflet_set_visible_child(leaflet, phone) }
        resize(by: visible ? (widthBefore > 1 ? widthBefore : Self.openedWidth) : -widthBefore)
        onChange?()
    }

    /// The initial width of the panel, in pixels.
    private static let openedWidth: gint = 430

    /// The initial width of the window, in pixels.
    var defaultWidth: gint { isShown ? Self.phoneWidth + Self.openedWidth : Self.phoneWidth }

    private static let phoneWidth: gint = 374

    private func resize(by change: gint) {
        let widget: Widget = window.cast()
        guard !isFolded, gtk_widget_get_realized(widget) != 0, gtk_window_is_maximized(window) == 0 else {
            return
        }
        var (width, height): (gint, gint) = (0, 0)
        gtk_window_get_size(window, &width, &height)
        gtk_window_resize(window, max(1, width + change), height)
    }

    private func foldedChanged() {
        if isFolded { hdy_leaflet_set_visible_child(leaflet, isPageWanted || hasFocus ? panel : phone) }
        isPageWanted = false
        onChange?()
    }

    private var hasFocus: Bool {
        gtk_window_get_focus(window).map { gtk_widget_is_ancestor($0, panel) != 0 } ?? false
    }
}
