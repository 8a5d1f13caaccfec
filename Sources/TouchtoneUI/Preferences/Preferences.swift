// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The Preferences window, which is created on demand and destroyed when it is closed.
@MainActor
final class Preferences {
    private let dependencies: PreferencesDependencies
    private var pages: [PreferencesPageName: any PreferencesPage] = [:]
    private(set) var window: UnsafeMutablePointer<GtkWindow>?
    private var list: PageList?

    init(_ dependencies: PreferencesDependencies) {
        self.dependencies = dependencies
    }

    /// Opens the window, or brings it to the front, at a page; nil is the current one, at first the first.
    ///
    /// - Parameter startsAccount: Whether the focus goes to where the page takes an account.
    func show(
        _ page: PreferencesPageName? = nil, over parent: UnsafeMutablePointer<GtkWindow>?,
        startsAccount: Bool = false
    ) {
        if window == nil { build(over: parent) }
        guard let window else { return }
        if let page { turn(to: page, in: window) }
        gtk_window_present(window)
        if startsAccount, let page { pages[page]?.startAccount() }
    }

    /// Opens the page that sets accounts up, with an address that is only shown.
    func setUpAccounts(at address: String, over parent: UnsafeMutablePointer<GtkWindow>?) {
        show(.lines, over: parent)
        (pages[.lines] as? LinesPage)?.startSetup(at: address)
    }

    func close() {
        if let window { gtk_widget_destroy(window.cast()) }
    }

    private func build(over parent: UnsafeMutablePointer<GtkWindow>?) {
        guard let widget = hdy_preferences_window_new() else { return }
        let window: UnsafeMutablePointer<GtkWindow> = widget.cast()
        // Changes take effect at once, so the phone stays usable while the window is open.
        gtk_window_set_modal(window, 0)
        gtk_window_set_transient_for(window, parent)
        gtk_window_set_application(window, parent.flatMap { gtk_window_get_application($0) })
        gtk_window_set_title(window, localized("Preferences"))
        gtk_window_set_default_size(window, 690, 650)
        FieldRows.stopSearchAsYouType(in: widget)
        for name in PreferencesPageName.allCases {
            // Omit a page whose layout is missing or invalid.
            guard let page = try? make(name) else { continue }
            pages[name] = page
            RowNames.set(in: page.widget)
            FieldRows.set(in: page.widget)
            gtk_container_add(widget.cast(), page.widget)
        }
        list = PageList(in: widget)
        Signal.connect(widget, "destroy") { [weak self] in
            self?.window = nil
            self?.pages = [:]
            self?.list = nil
        }
        self.window = window
    }

    private func make(_ name: PreferencesPageName) throws(GLibError) -> (any PreferencesPage)? {
        switch name {
        case .phone: return try PhonePage(dependencies)
        case .lines: return try LinesPage(dependencies)
        case .messages: return try MessagesPage(dependencies)
        case .lock:
            guard let passcode = dependencies.passcode else { return nil }
            return try LockPage(dependencies, passcode: passcode)
        case .about: return try AboutPage(dependencies)
        }
    }

    private func turn(to name: PreferencesPageName, in window: UnsafeMutablePointer<GtkWindow>) {
        guard let page = pages[name], let stack = gtk_widget_get_ancestor(page.widget, gtk_stack_get_type())
        else { return }
        hdy_preferences_window_close_subpage(window.cast())
        gtk_stack_set_visible_child(stack.cast(), page.widget)
        list?.showPage()
        // Otherwise the focus would stay in the list of pages.
        if !page.widget.holdsFocus { gtk_widget_child_focus(page.widget, GTK_DIR_TAB_FORWARD) }
    }
}
