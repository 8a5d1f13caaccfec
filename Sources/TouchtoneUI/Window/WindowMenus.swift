// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The main menu, and the window that lists the keyboard shortcuts.
@MainActor
final class WindowMenus {
    private let builder: Builder
    private let resources: Resources
    private var timer: MainLoop.Timer?
    private var shortcuts: Widget?

    /// Prepares the menu, which is built after the first frame.
    init(_ builder: Builder, resources: Resources) {
        (self.builder, self.resources) = (builder, resources)
        guard let window: Widget = try? builder.object("window") else { return }
        Signal.connect(window, "hide") { [weak self] in
            if let shortcuts = self?.shortcuts { gtk_widget_destroy(shortcuts) }
        }
        // On Wayland, popovers emit map events on their window, too; only the first event is that of the window itself.
        Signal.connectEvent(window, "map-event") { [weak self] _ in
            guard let self, timer == nil else { return false }
            timer = MainLoop.after(milliseconds: 50) { [weak self] in self?.addMenu() }
            return false
        }
    }

    func showMenu() {
        if let button: Widget = try? builder.object("menu") { gtk_button_clicked(button.cast()) }
    }

    func showShortcuts() {
        if shortcuts == nil {
            guard let layout = try? Builder(file: resources.layout("shortcuts")),
                let new: Widget = try? layout.object("shortcuts"),
                let window: UnsafeMutablePointer<GtkWindow> = try? builder.object("window")
            else { return }
            gtk_window_set_transient_for(new.cast(), window)
            RowNames.set(in: new)
            WidgetTree.visit(new) { label in
                guard gtk_style_context_has_class(gtk_widget_get_style_context(label), "keycap") != 0 else {
                    return
                }
                // The keys of a keyboard are labelled from left to right: “0–9” is not reversed.
                gtk_widget_set_direction(label, GTK_TEXT_DIR_LTR)
            }
            Signal.connect(new, "destroy") { [weak self] in self?.shortcuts = nil }
            shortcuts = new
        }
        if let shortcuts { gtk_window_present(shortcuts.cast()) }
    }

    /// Builds the main menu after the first frame, because it takes as long as the keypad.
    private func addMenu() {
        guard let button: UnsafeMutablePointer<GtkMenuButton> = try? builder.object("menu"),
            let model: UnsafeMutablePointer<GMenuModel> = try? builder.object("main-menu")
        else { return }
        gtk_menu_button_set_menu_model(button, model)
    }
}
