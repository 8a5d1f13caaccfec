// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The page About: the version, the licence, and whose work the phone stands on.
@MainActor
final class AboutPage: PreferencesPage {
    let widget: UnsafeMutablePointer<GtkWidget>
    private let builder: Builder

    private static let links = [
        "licence": "https://www.gnu.org/licenses/gpl-3.0.html",
        "credit-dseg": "https://www.keshikan.net/fonts-e.html",
        "credit-inter": "https://rsms.me/inter/",
    ]

    init(_ dependencies: PreferencesDependencies) throws(GLibError) {
        builder = try dependencies.layout(.about)
        widget = try builder.object("page")
        gtk_label_set_text(try builder.object("version"), dependencies.version)
        for (row, link) in Self.links {
            Signal.connect(try builder.object(row, as: GtkWidget.self), "activated") { [widget] in
                // Without a browser nothing comes up; there is nothing better to say about that.
                gtk_show_uri_on_window(
                    gtk_widget_get_toplevel(widget)?.cast(), link, gtk_get_current_event_time(), nil)
            }
        }
    }
}
