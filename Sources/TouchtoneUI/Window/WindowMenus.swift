// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The main menu, and the window that lists the keys of the keyboard.
@MainActor
final class WindowMenus {
    private let builder: Builder
    private let resources: Resources
    private let willOpenRows: @MainActor () -> Void
    private var timer: MainLoop.Timer?
    private var shortcuts: Widget?

    /// - Parameters:
    ///   - builder: the window's layout.
    ///   - willOpenRows: called before a window opens that is made of the theme's rows.
    init(_ builder: Builder, resources: Resources, willOpenRows: @escaping @MainActor () -> Void) {
        (self.builder, self.resources, self.willOpenRows) = (builder, resources, willOpenRows)
        guard let window: Widget = try? builder.object("window") else { return }
        // Under Wayland a popover is mapped by an event of its window's own: only the first is that of the window.
        Signal.connectEvent(window, "map-event") { [weak self] _ in
            guard let self, timer == nil else { return false }
            timer = MainLoop.after(milliseconds: 50) { [weak self] in self?.addMenu() }
            return false
        }
    }

    /// Opens the main menu.
    func showMenu() {
        if let button: Widget = try? builder.object("menu") { gtk_button_clicked(button.cast()) }
    }

    /// Shows the keys of the keyboard.
    func showShortcuts() {
        willOpenRows()
        if shortcuts == nil {
            guard let layout = try? Builder(file: resources.layout("shortcuts")),
                let new: Widget = try? layout.object("shortcuts"),
                let window: UnsafeMutablePointer<GtkWindow> = try? builder.object("window")
            else { return }
            gtk_window_set_transient_for(new.cast(), window)
            RowNames.set(in: new)
            Signal.connect(new, "destroy") { [weak self] in self?.shortcuts = nil }
            shortcuts = new
        }
        if let shortcuts { gtk_window_present(shortcuts.cast()) }
    }

    /// Builds what the first frame does not show, once that is drawn: the menu takes as long as the keypad.
    private func addMenu() {
        guard let button: UnsafeMutablePointer<GtkMenuButton> = try? builder.object("menu"),
            let model: UnsafeMutablePointer<GMenuModel> = try? builder.object("main-menu")
        else { return }
        gtk_menu_button_set_menu_model(button, model)
    }
}
