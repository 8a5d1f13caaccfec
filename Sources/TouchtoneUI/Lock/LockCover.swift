// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Replaces the window's content with the lock screen while the phone is locked, and restores it afterwards.
///
/// Assistive tools can reach hidden widgets, and texts that they have read before: these are cleared.
@MainActor
final class LockCover {
    /// Called with true before the content is removed, and with false after it is restored.
    var onChange: (@MainActor (Bool) -> Void)?
    /// The lock screen while the phone is locked, otherwise nil.
    private(set) var screen: LockScreen?
    /// Whether the content is removed from the window.
    private(set) var isOn = false

    private let window: UnsafeMutablePointer<GtkWindow>
    private let content: GObjectRef
    private let lock: Lock
    private let phone: Phone
    private let resources: Resources
    private let shown: LockDisplay.Source
    private let blanking = Blanking()
    private var focus: GObjectRef?
    private var otherWindows: [GObjectRef] = []

    init(
        window: UnsafeMutablePointer<GtkWindow>, content: Widget, lock: Lock,
        phone: Phone, shown: LockDisplay.Source, resources: Resources
    ) {
        self.shown = shown
        self.window = window
        self.content = GObjectRef(retaining: content)
        (self.lock, self.phone, self.resources) = (lock, phone, resources)
    }

    /// Applies the lock's state, and follows it; throws if the phone is locked and has no lock screen.
    ///
    /// If the lock screen cannot be built later, the window stays empty.
    func begin() throws(GLibError) {
        var failure: GLibError?
        lock.observe(by: self) { [weak self] in
            do throws(GLibError) {
                try self?.update()
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private func update() throws(GLibError) {
        if lock.isLocked, !isOn {
            isOn = true
            try cover()
        } else if !lock.isLocked, isOn {
            isOn = false
            uncover()
        } else {
            screen?.show()
        }
    }

    private func cover() throws(GLibError) {
        // Save the focus first, because a button loses it when its action is disabled.
        focus = gtk_window_get_focus(window).map { GObjectRef(retaining: $0) }
        closeMenus()
        onChange?(true)
        hideOtherWindows()
        gtk_container_remove(container, content.cast())
        blanking.blank(content.cast())
        // Assistive tools may still hold the buttons, and GTK accepts a click action on a button outside any window.
        gtk_widget_set_sensitive(content.cast(), 0)
        let screen = try LockScreen(resources: resources, lock: lock, phone: phone, shown: shown)
        self.screen = screen
        gtk_container_add(container, screen.widget)
        gtk_widget_grab_focus(screen.row)
    }

    private func uncover() {
        if let screen { gtk_container_remove(container, screen.widget) }
        screen = nil
        gtk_widget_set_sensitive(content.cast(), 1)
        blanking.restore()
        gtk_container_add(container, content.cast())
        onChange?(false)
        if let focus, gtk_widget_is_ancestor(focus.cast(), content.cast()) != 0 {
            gtk_widget_grab_focus(focus.cast())
        }
        focus = nil
        // Skip windows that were destroyed in the meantime, which would appear empty.
        let left = Set(windows)
        for other in otherWindows where left.contains(other.cast()) { gtk_widget_show(other.cast()) }
        otherWindows = []
    }

    private var container: UnsafeMutablePointer<GtkContainer> { window.cast() }

    /// Closes open menus, which are separate windows whose items could still be activated.
    private func closeMenus() {
        // Each open submenu has its own grab; the limit bounds the loop.
        for _ in 0..<8 {
            guard let grab = gtk_grab_get_current(), cgtk_instance_is_a(grab, gtk_menu_shell_get_type()) != 0
            else { return }
            gtk_menu_shell_cancel(grab.cast())
        }
    }

    private func hideOtherWindows() {
        for other in windows {
            guard other != window, gtk_window_get_window_type(other) == GTK_WINDOW_TOPLEVEL,
                gtk_widget_get_visible(other.cast()) != 0
            else { continue }
            otherWindows.append(GObjectRef(retaining: other))
            gtk_widget_hide(other.cast())
        }
    }

    /// The app's top-level windows that are not destroyed.
    private var windows: [UnsafeMutablePointer<GtkWindow>] {
        let list = gtk_window_list_toplevels()
        defer { g_list_free(list) }
        return sequence(first: list, next: { $0?.pointee.next }).prefix { $0 != nil }
            .compactMap { $0?.pointee.data?.assumingMemoryBound(to: GtkWindow.self) }
    }
}
