// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The About page: the version, the licence and the credits.
@MainActor
final class AboutPage: PreferencesPage {
    let widget: Widget
    private let builder: Builder
    private let report: ReportGroup

    private static let links = [
        "licence": "https://www.gnu.org/licenses/gpl-3.0.html",
        "credit-dseg": "https://www.keshikan.net/fonts-e.html",
        "credit-breip": "http://helloalan.com/projects/breip/",
        "credit-inter": "https://rsms.me/inter/",
    ]

    init(_ dependencies: PreferencesDependencies) throws(GLibError) {
        builder = try dependencies.layout(.about)
        widget = try builder.object("page")
        report = try ReportGroup(builder, dependencies)
        gtk_label_set_text(try builder.object("version"), dependencies.version)
        let (row, plans): (Widget, UnsafeMutablePointer<GtkLabel>) = (
            try builder.object("plans-row"), try builder.object("plans")
        )
        // The library is loaded when it is asked, which takes some milliseconds.
        Signal.connect(widget, "map") {
            let version = dependencies.regions.version()
            row.isVisible = version != nil
            if let version { gtk_label_set_text(plans, "libphonenumber \(version)") }
        }
        for (row, link) in Self.links {
            try builder.connect(row, "activated") { [widget] in
                // An error means that no browser is installed, which the user can do nothing about here.
                gtk_show_uri_on_window(
                    gtk_widget_get_toplevel(widget)?.cast(), link, gtk_get_current_event_time(), nil)
            }
        }
    }
}
