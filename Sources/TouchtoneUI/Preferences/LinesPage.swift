// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The page Lines: which of them Dial uses, and how numbers are written on each.
@MainActor
final class LinesPage: PreferencesPage {
    let widget: UnsafeMutablePointer<GtkWidget>
    private let builder: Builder
    private let line: ChoiceRow
    private let groups: [LineGroup]

    init(_ parts: PreferencesParts) throws(GLibError) {
        builder = try parts.layout(.lines)
        widget = try builder.object("page")
        line = ChoiceRow(
            try builder.object("dial-line"), of: "dial-line", in: parts.settings,
            [.init("", "Automatic")] + parts.lines.map { .init($0.id, LineNames.name(of: $0)) },
            nameOfUnknown: { "\($0) (not there)" })
        var groups: [LineGroup] = []
        let last: Widget = try builder.object("last")
        for line in parts.lines {
            // Of an older schema there is none.
            guard let group = try? LineGroup(line, parts) else { continue }
            groups.append(group)
            gtk_container_add(widget.cast(), group.widget)
        }
        self.groups = groups
        // What resets it all stands at the end.
        let place = gtk_widget_get_parent(last)
        if let place { gtk_box_reorder_child(place.cast(), last, -1) }
        ResetRow.connect(
            try builder.object("reset"),
            resetting: [(parts.settings, ["dial-line"])] + groups.map { ($0.settings, LineSettings.keys) })
    }
}
