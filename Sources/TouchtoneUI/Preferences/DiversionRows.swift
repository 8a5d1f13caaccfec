// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The rows of a SIP account that divert its calls: whether, which, where to, and after what time.
@MainActor
final class DiversionRows {
    static let names = ["divert-row", "divert-calls", "divert-to-row", "divert-after-row"]

    private let row: UnsafeMutablePointer<HdyActionRow>
    private let settings: Settings
    private let choice: ChoiceRow
    private let entries: [SettingEntry]

    init(_ builder: Builder, _ settings: Settings, pad: NumberPad) throws(GLibError) {
        self.settings = settings
        row = try builder.object("divert-row")
        choice = ChoiceRow(
            try builder.object("divert-calls"), of: "divert-calls", in: settings,
            Diversion.Calls.allCases.map { .init($0.rawValue, Self.text($0)) })
        let after = pad.attach(to: try builder.object("divert-after"), taking: .digits)
        let target: UnsafeMutablePointer<GtkEntry> = try builder.object("divert-to")
        entries = [
            SettingEntry(
                target, read: { [weak settings] in settings?[text: "divert-to"] ?? "" },
                write: { [weak settings] text in
                    guard text.isEmpty || RemoteParty(entered: text) != nil else { return false }
                    settings?[text: "divert-to"] = text
                    return true
                }),
            SettingEntry(after.entry, of: "divert-after", in: settings, range: Diversion.delays),
        ]
        settings.bindWritable("divert-to", to: target.cast())
        settings.bind("divert", to: try builder.object("divert", as: GtkWidget.self), "active")
        for key in ["divert-to", "address"] {
            settings.follow(key, until: row.cast()) { [weak self] in self?.show() }
        }
    }

    /// Shows whether calls can be diverted.
    private func show() {
        entries[0].show()
        let target = RemoteParty(entered: settings[text: "divert-to"])
        let isOwn =
            target.flatMap { CallAddress.sipKey($0.address) }
            .map { $0 == CallAddress.sipKey((try? SIPURI(entered: settings[text: "address"]))?.text ?? "") }
            ?? false
        let text =
            isOwn
            ? localized("Calls can’t be diverted to the account itself.")
            : target == nil
                ? localized("Enter where the calls are to go.")
                : localized("Callers are told to call another number or address")
        hdy_action_row_set_subtitle(row, text)
        (row.cast() as Widget).setAnnounced(name: localized("Divert Calls"), description: text)
    }

    private static func text(_ calls: Diversion.Calls) -> String {
        switch calls {
        case .all: localizedIn("diverted calls", "All")
        case .busy: localizedIn("diverted calls", "When Busy")
        case .unanswered: localizedIn("diverted calls", "When Not Answered")
        case .busyOrUnanswered: localizedIn("diverted calls", "When Busy or Not Answered")
        }
    }
}
