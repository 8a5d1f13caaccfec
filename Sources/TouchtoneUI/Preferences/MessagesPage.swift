// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The page Messages: the panel beside the phone.
@MainActor
final class MessagesPage: PreferencesPage {
    let widget: UnsafeMutablePointer<GtkWidget>
    private let builder: Builder

    init(_ parts: PreferencesParts) throws(GLibError) {
        builder = try parts.layout(.messages)
        widget = try builder.object("page")
        parts.settings.bind(
            "panel-visible", to: try builder.object("panel-visible", as: GtkWidget.self), "active")
        ResetRow.connect(try builder.object("reset"), resetting: ["panel-visible"], of: parts.settings)
    }
}
