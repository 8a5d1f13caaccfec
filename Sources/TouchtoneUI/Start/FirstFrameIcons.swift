// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The icons of the window’s first frame, which are those that GTK contains.
///
/// To find one icon, GTK loads all of the icon theme, which takes a tenth of the time until the window is drawn. It also
/// contains some icons of its default theme itself, at scale 1.
@MainActor
enum FirstFrameIcons {
    /// The folders of icon themes, while GTK does not search them.
    private static var folders: (list: Folders, count: gint)?

    private typealias Folders = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

    /// Takes the icons of a window that has not been shown yet from GTK, if it contains them all and the user has not
    /// chosen another icon theme.
    static func begin(in window: UnsafeMutablePointer<GtkWindow>) {
        guard folders == nil, gtk_widget_get_scale_factor(window.cast()) == 1, isDefaultTheme,
            shownIcons(in: window.cast()).allSatisfy(isInGTK)
        else { return }
        let theme = gtk_icon_theme_get_default()
        var (list, count): (Folders, gint) = (nil, 0)
        gtk_icon_theme_get_search_path(theme, &list, &count)
        folders = (list, count)
        gtk_icon_theme_set_search_path(theme, nil, 0)
    }

    /// Lets GTK load the icon theme, whose icons all windows then show.
    static func end() {
        guard let (list, count) = folders else { return }
        folders = nil
        let theme = gtk_icon_theme_get_default()
        // A folder that was added meanwhile stays.
        var (added, addedCount): (Folders, gint) = (nil, 0)
        gtk_icon_theme_get_search_path(theme, &added, &addedCount)
        list?.withMemoryRebound(to: UnsafePointer<CChar>?.self, capacity: Int(count)) {
            gtk_icon_theme_set_search_path(theme, $0, count)
        }
        for index in 0..<Int(addedCount) { gtk_icon_theme_append_search_path(theme, added?[index]) }
        g_strfreev(list)
        g_strfreev(added)
    }

    private static var isDefaultTheme: Bool {
        guard let settings = gtk_settings_get_default() else { return false }
        // A header bar with the program’s icon, as on Plasma, needs the icon theme.
        return settings.text("gtk-icon-theme-name") == "Adwaita"
            && !settings.text("gtk-decoration-layout").contains("icon")
    }

    private static func isInGTK(_ name: String) -> Bool {
        let path = "/org/gtk/libgtk/icons/16x16/status/\(name).symbolic.png"
        return g_resources_get_info(path, G_RESOURCE_LOOKUP_FLAGS_NONE, nil, nil, nil) != 0
    }

    /// Returns the names of the visible icons, or an empty name for an icon without one.
    private static func shownIcons(in window: Widget) -> [String] {
        var names = ["window-close-symbolic", "window-maximize-symbolic", "window-minimize-symbolic"]
        WidgetTree.visit(window) { widget in
            guard cgtk_instance_is_a(widget, gtk_image_get_type()) != 0, isShown(widget, in: window) else {
                return
            }
            switch gtk_image_get_storage_type(widget.cast()) {
            case GTK_IMAGE_ICON_NAME:
                var name: UnsafePointer<CChar>?
                gtk_image_get_icon_name(widget.cast(), &name, nil)
                names.append(name.map { String(cString: $0) } ?? "")
            case GTK_IMAGE_GICON: names.append("")
            default: break
            }
        }
        return names
    }

    private static func isShown(_ widget: Widget, in window: Widget) -> Bool {
        var part = widget
        while part != window {
            guard gtk_widget_get_visible(part) != 0, let parent = gtk_widget_get_parent(part) else {
                return false
            }
            part = parent
        }
        return true
    }
}
