// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The style of the text fields in the panel.
@MainActor
enum PanelEntry {
    /// The colour of placeholders, for which GTK 3 has no style class but a colour by name.
    private static let placeholder: GObjectRef = {
        let provider = GObjectRef(taking: UnsafeMutableRawPointer(gtk_css_provider_new()))
        let sheet = "@define-color placeholder_text_color @panel_dim;"
        gtk_css_provider_load_from_data(provider.cast(), sheet, -1, nil)
        return provider
    }()

    static func dress(_ entry: Widget) {
        entry.set(style: "panel-entry", true)
        gtk_style_context_add_provider(
            gtk_widget_get_style_context(entry), placeholder.opaque,
            guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION) + 1)
    }
}
