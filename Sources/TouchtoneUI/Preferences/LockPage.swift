// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The Lock page: the passcode, where it is stored, the idle time before locking, and the encryption on this computer.
@MainActor
final class LockPage: PreferencesPage {
    let widget: Widget
    private let builder: Builder
    private let reset: ResetRow
    private let dependencies: PreferencesDependencies
    private let passcode: any PasscodeAdministration
    private let idle: ChoiceRow
    private let protection: ProtectionRow?
    private var dialog: PasscodeDialog?

    init(_ dependencies: PreferencesDependencies, passcode: any PasscodeAdministration) throws(GLibError) {
        (self.dependencies, self.passcode) = (dependencies, passcode)
        let builder = try dependencies.layout(.lock)
        self.builder = builder
        reset = ResetRow(try builder.object("reset"))
        widget = try builder.object("page")
        idle = ChoiceRow(
            try builder.object("lock-after"), of: "lock-after", in: dependencies.settings, as: .count,
            ["1", "5", "15"].map { .init($0, Self.minutes($0)) } + [.init("0", localized("Never"))],
            nameOfUnknown: Self.minutes)
        protection = try dependencies.protection.map { protection throws(GLibError) in
            try ProtectionRow(builder, protection: protection, passcode: passcode)
        }
        reset.add(["lock-after"], of: dependencies.settings)
        for task in PasscodeDialog.Purpose.allCases {
            try builder.connect(Self.row(for: task), "activated") { [weak self] in self?.open(task) }
        }
        passcode.observe(by: self) { [weak self] in self?.show() }
    }

    private nonisolated static func minutes(_ value: String) -> String {
        localizedPlural("{count} Minute", "{count} Minutes", Int(value) ?? 0)
    }

    private static func row(for task: PasscodeDialog.Purpose) -> String { "\(task.rawValue)-passcode" }

    private func show() {
        let isSet = passcode.isSet
        for task in PasscodeDialog.Purpose.allCases {
            builder.setVisible(Self.row(for: task), (task == .set) != isSet)
        }
        guard let row: UnsafeMutablePointer<HdyActionRow> = try? builder.object("passcode-row") else {
            return
        }
        hdy_action_row_set_subtitle(
            row, isSet ? passcode.place : localized("Anyone at this computer can use the phone."))
        builder.setText("passcode", isSet ? localizedIn("passcode", "Set") : localizedIn("passcode", "None"))
    }

    private func open(_ purpose: PasscodeDialog.Purpose) {
        guard let window: UnsafeMutablePointer<HdyPreferencesWindow> = gtk_widget_get_toplevel(widget)?.cast()
        else { return }
        // If the layout is missing or invalid, the page does not open.
        dialog = try? PasscodeDialog(purpose, dependencies: dependencies, passcode: passcode) {
            hdy_preferences_window_close_subpage(window)
        }
        dialog?.open(in: window)
    }
}
