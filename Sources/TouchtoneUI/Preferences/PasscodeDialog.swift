// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A subpage of Preferences that asks for passcodes, with the number pad under the focused field.
@MainActor
final class PasscodeDialog {
    enum Purpose: String, CaseIterable {
        case set, change, remove

        var title: String {
            switch self {
            case .set: localized("Set Passcode")
            case .change: localized("Change Passcode")
            case .remove: localized("Remove Passcode")
            }
        }

        /// The ids of the visible fields, in order.
        fileprivate var fields: [String] {
            switch self {
            case .set: ["new", "again"]
            case .change: ["old", "new", "again"]
            case .remove: ["old"]
            }
        }
    }

    private let purpose: Purpose
    private let passcode: any PasscodeAdministration
    private let close: @MainActor () -> Void
    private let builder: Builder
    private let page, apply: Widget
    private let problem: UnsafeMutablePointer<GtkLabel>
    private var fields: [String: NumberField] = [:]
    /// The phone's keys below the fields, unless the number pad opens at the fields, or is not wanted.
    private var keys: PasscodeKeys?
    /// The id of the field that had the focus last.
    private var current: String
    private var isDestroyed = false

    /// - Parameter close: Called after the operation succeeds, or when the user goes back.
    init(
        _ purpose: Purpose, dependencies: PreferencesDependencies, passcode: any PasscodeAdministration,
        close: @escaping @MainActor () -> Void
    ) throws(GLibError) {
        (self.purpose, self.passcode, self.close) = (purpose, passcode, close)
        current = purpose.fields[0]
        builder = try Builder(file: dependencies.resources.layout("preferences-passcode"))
        page = try builder.object("page")
        apply = try builder.object("apply")
        problem = try builder.object("problem")
        hdy_header_bar_set_title(try builder.object("header"), purpose.title)
        gtk_button_set_label(apply.cast(), purpose.title)
        apply.set(style: purpose == .remove ? "destructive-action" : "suggested-action", true)
        for name in purpose.fields {
            let entry: UnsafeMutablePointer<GtkEntry> = try builder.object(name)
            fields[name] = dependencies.pad.attach(to: entry, taking: .digits)
            gtk_widget_show(try builder.object("\(name)-row"))
            Signal.connect(entry, "changed") { [weak self] in self?.show(nil) }
            Signal.connect(entry, "activate") { [weak self] in self?.go(from: name) }
            Signal.connectEvent(entry, "focus-in-event") { [weak self] _ in
                self?.current = name
                return false
            }
        }
        if dependencies.settings[text: "number-pad"] == "automatic", !dependencies.pad.isWanted {
            keys = try PasscodeKeys(in: try builder.object("keypad-place"), resources: dependencies.resources)
            {
                [weak self] in self?.press($0)
            }
        }
        Signal.connect(apply, "clicked") { [weak self] in self?.start() }
        try builder.connect("back", "clicked") { [weak self] in
            self?.forget()
            close()
        }
        Signal.connect(page, "destroy") { [weak self] in self?.isDestroyed = true }
        show(nil)
    }

    func open(in window: UnsafeMutablePointer<HdyPreferencesWindow>) {
        hdy_preferences_window_present_subpage(window, page)
        focus(purpose.fields[0])
    }

    private func focus(_ name: String) {
        if let field = fields[name] { gtk_widget_grab_focus(field.entry.cast()) }
    }

    private func text(_ name: String) -> String { fields[name]?.text ?? "" }

    private func press(_ key: PadKey) {
        guard let field = fields[current], gtk_widget_get_sensitive(field.entry.cast()) != 0 else { return }
        switch key {
        case .character(let character): field.insert(String(character))
        case .delete: field.delete()
        case .clear: field.deleteAll()
        case .done: go(from: current)
        }
    }

    /// Handles Return: moves the focus to the next field, or applies the operation in the last one.
    private func go(from name: String) {
        guard let index = purpose.fields.firstIndex(of: name) else { return }
        if index + 1 < purpose.fields.count {
            focus(purpose.fields[index + 1])
        } else {
            start()
        }
    }

    private func show(_ error: String?) {
        gtk_label_set_text(problem, error ?? "")
        gtk_widget_set_visible(problem.cast(), error == nil ? 0 : 1)
        (problem.cast() as Widget).announce(error ?? "")
    }

    private var inputError: (text: String, field: String)? {
        for name in purpose.fields where name != "again" && !Passcode.lengths.contains(text(name).utf8.count)
        {
            return (localized("A passcode must have 4 to 8 digits."), name)
        }
        if purpose.fields.contains("again"), text("new") != text("again") {
            return (localized("The passcodes don’t match."), "again")
        }
        return nil
    }

    private func start() {
        guard gtk_widget_get_sensitive(apply) != 0 else { return }
        if let inputError {
            focus(inputError.field)
            return show(inputError.text)
        }
        setBusy(true)
        let (old, new) = (text("old"), text("new"))
        Task {
            let error: String?
            switch purpose {
            case .set: error = await passcode.setPasscode(new)
            case .change: error = await passcode.changePasscode(from: old, to: new)
            case .remove: error = await passcode.removePasscode(old)
            }
            finish(error)
        }
    }

    private func finish(_ error: String?) {
        guard !isDestroyed else { return }
        setBusy(false)
        guard let error else {
            forget()
            return close()
        }
        // Clear the old passcode, which may be wrong.
        fields["old"]?.forget()
        focus(purpose.fields[0])
        show(error)
    }

    /// Clears the fields and their undo history, so that no passcode can be restored.
    private func forget() {
        for field in fields.values { field.forget() }
    }

    private func setBusy(_ isBusy: Bool) {
        for field in fields.values { gtk_widget_set_sensitive(field.entry.cast(), isBusy ? 0 : 1) }
        gtk_widget_set_sensitive(apply, isBusy ? 0 : 1)
    }
}
