// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The row of the Lines page that leads to the accounts that a web address offers.
@MainActor
final class AccountSetupGroup {
    /// The group, a `HdyPreferencesGroup`.
    let widget: Widget
    private let dependencies: PreferencesDependencies
    private let source: any AccountSetupSource
    private let builder: Builder
    private var page: AccountSetupPage?

    init(_ dependencies: PreferencesDependencies, source: any AccountSetupSource) throws(GLibError) {
        (self.dependencies, self.source) = (dependencies, source)
        builder = try Builder(file: dependencies.resources.layout("preferences-setup-row"))
        widget = try builder.object("group")
        try builder.connect("set-up", "activated") { [weak self] in self?.open() }
    }

    /// - Parameter address: An address from another program, which is only shown.
    func open(address: String = "") {
        guard let window: UnsafeMutablePointer<HdyPreferencesWindow> = gtk_widget_get_toplevel(widget)?.cast()
        else { return }
        hdy_preferences_window_close_subpage(window)
        // If the layout is missing or invalid, the page does not open.
        page = try? AccountSetupPage(dependencies, source: source) {
            hdy_preferences_window_close_subpage(window)
        }
        page?.open(in: window, address: address)
    }
}
