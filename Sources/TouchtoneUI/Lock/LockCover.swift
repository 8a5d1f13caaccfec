// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Takes everything out of the window while the phone is locked, and puts it back as it was.
///
/// Assistive tools still reach hidden widgets, but none outside the window. The texts are also removed from the
/// widgets, for tools that hold objects from before.
@MainActor
final class LockCover {
    /// Called before the content goes, with true, and when it is back, with false.
    var onChange: (@MainActor (Bool) -> Void)?
    /// The screen, while it is there.
    private(set) var screen: LockScreen?
    /// Whether the content is out of the window.
    private(set) var isOn = false

    private let window: UnsafeMutablePointer<GtkWindow>
    private let content: GObjectRef
    private let lock: Lock
    private let phone: Phone
    private let resources: Resources
    private let blanking = Blanking()
    private var focus: GObjectRef?
    private var otherWindows: [GObjectRef] = []

    init(
        window: UnsafeMutablePointer<GtkWindow>, content: UnsafeMutablePointer<GtkWidget>, lock: Lock,
        phone: Phone, resources: Resources
    ) {
        self.window = window
        self.content = GObjectRef(retaining: content)
        self.lock = lock
        self.phone = phone
        self.resources = resources
    }

    /// Does as the lock says, now and from now on.
    ///
    /// - Throws: `GLibError` where the screen could not be built. Where that happens later, the window stays empty.
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
        // First: a key whose action is switched off loses the focus.
        focus = gtk_window_get_focus(window).map { GObjectRef(retaining: $0) }
        closeMenus()
        onChange?(true)
        hideOtherWindows()
        gtk_container_remove(container, content.cast())
        blanking.blank(content.cast())
        // Who has looked at the keys before may still have them, and GTK lets a key that is in no window be clicked.
        gtk_widget_set_sensitive(content.cast(), 0)
        let screen = try LockScreen(resources: resources, lock: lock, phone: phone)
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
        // One that was closed meanwhile would come back as an empty one.
        let left = Set(windows)
        for other in otherWindows where left.contains(other.cast()) { gtk_widget_show(other.cast()) }
        otherWindows = []
    }

    private var container: UnsafeMutablePointer<GtkContainer> { window.cast() }

    /// A menu is a window of its own, and what is in it could still be taken.
    private func closeMenus() {
        // Submenus, each with a grab of its own.
        for _ in 0..<8 {
            guard let grab = gtk_grab_get_current(), cgtk_instance_is_a(grab, gtk_menu_shell_get_type()) != 0
            else {
                return
            }
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

    /// The program's windows, without those that are destroyed.
    private var windows: [UnsafeMutablePointer<GtkWindow>] {
        let list = gtk_window_list_toplevels()
        defer { g_list_free(list) }
        return sequence(first: list, next: { $0?.pointee.next }).prefix { $0 != nil }
            .compactMap { $0?.pointee.data?.assumingMemoryBound(to: GtkWindow.self) }
    }
}
