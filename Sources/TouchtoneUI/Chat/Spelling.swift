// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The spelling of the message field, if the setting asks for it and gspell is installed.
///
/// gspell and the dictionary are loaded when the field first has the focus.
@MainActor
final class Spelling {
    private let settings: Settings
    private let field: UnsafeMutablePointer<GtkTextView>
    private var checker: SpellChecker?
    private var hasTried = false

    init(_ field: UnsafeMutablePointer<GtkTextView>, settings: Settings) {
        (self.field, self.settings) = (field, settings)
        Signal.connectEvent(field, "focus-in-event") { [weak self] _ in
            self?.load()
            return false
        }
        settings.follow("message-spelling", until: field.cast()) { [weak self] in self?.settingChanged() }
    }

    private var isOn: Bool { settings[flag: "message-spelling"] }

    private func settingChanged() {
        if let checker { checker.setOn(isOn) } else if gtk_widget_has_focus(field.cast()) != 0 { load() }
    }

    private func load() {
        guard isOn, !hasTried else { return }
        hasTried = true
        // Without gspell, the field works all the same.
        guard let new = try? SpellChecker(field, language: settings[text: "spelling-language"]) else {
            return
        }
        checker = new
        new.onLanguage { [weak self] in self?.save() }
        new.setOn(true)
    }

    private func save() {
        if let checker { settings[text: "spelling-language"] = checker.language }
    }
}
