// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The page Lines: which of them Dial uses.
@MainActor
final class LinesPage: PreferencesPage {
    let widget: UnsafeMutablePointer<GtkWidget>
    private let builder: Builder
    private let line: ChoiceRow

    init(_ parts: PreferencesParts) throws(GLibError) {
        builder = try parts.layout(.lines)
        widget = try builder.object("page")
        line = ChoiceRow(
            try builder.object("dial-line"), of: "dial-line", in: parts.settings,
            [
                .init("", "Automatic"), .init("tel", "The Program for tel: Links"),
                .init("practice", "The Practice Exchange"),
            ],
            nameOfUnknown: { "\($0) (not there)" })
        ResetRow.connect(try builder.object("reset"), resetting: ["dial-line"], of: parts.settings)
    }
}
