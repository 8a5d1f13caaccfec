// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The rows of one line: its number format and prefix.
@MainActor
final class LineGroup {
    /// The group, a `HdyPreferencesGroup`.
    let widget: Widget
    let settings: Settings
    let line: any Line
    private let builder: Builder
    private let form: ChoiceRow
    private let prefix: NumberField

    init(_ line: any Line, _ dependencies: PreferencesDependencies) throws(GLibError) {
        self.line = line
        settings = try dependencies.resources.lineSettings(line.id)
        builder = try Builder(file: dependencies.resources.layout("preferences-line"))
        widget = try builder.object("line")
        form = ChoiceRow(
            try builder.object("form"), of: "form", in: settings,
            [
                .init("as-dialled", localizedIn("number format", "As Dialled")),
                .init("national", localizedIn("number format", "National")),
                .init("international", localizedIn("number format", "International")),
            ])
        let entry: UnsafeMutablePointer<GtkEntry> = try builder.object("prefix")
        prefix = dependencies.pad.attach(to: entry, taking: .number)
        let name = LineStrings.name(of: line)
        hdy_preferences_group_set_title(widget.cast(), name)
        showUse(by: dependencies)
        let field: Widget = entry.cast()
        field.setAccessible(name: localized("Prefix"))
        field.setAccessible(description: name)
        gtk_entry_set_max_length(entry, gint(DialRules.maximumPrefixLength))
        connect(field)
    }

    /// Shows whether DIAL uses the line, and its state, until the group is destroyed.
    private func showUse(by dependencies: PreferencesDependencies) {
        let (lines, main, line, group) = (dependencies.lines, dependencies.settings, line, widget)
        let show: @MainActor () -> Void = { [weak main] in
            let setting = main?[text: "dial-line"] ?? ""
            let isUsed = LineChooser.line(of: lines, setting: setting) === line
            let description = LineStrings.description(of: line)
            let text =
                isUsed
                ? localized("DIAL uses this line. {description}", ["description": description])
                : description
            hdy_preferences_group_set_description(group.cast(), text)
        }
        main.follow("dial-line", until: group, show)
        lines.observe(by: self) { _ in show() }
    }

    /// Connects the field to the setting; an invalid prefix is marked as an error and not saved.
    private func connect(_ field: Widget) {
        settings.bindWritable("prefix", to: field)
        var isShowing = false
        settings.follow("prefix", until: field) { [weak self] in
            guard let self else { return }
            let saved = settings[text: "prefix"]
            guard Self.prefix(prefix.text) != saved else { return }
            isShowing = true
            gtk_entry_set_text(prefix.entry, saved)
            isShowing = false
            field.set(style: "error", Self.prefix(saved) == nil)
        }
        Signal.connect(prefix.entry, "changed") { [weak self] in
            guard let self else { return }
            let typed = Self.prefix(prefix.text)
            field.set(style: "error", typed == nil)
            guard !isShowing, let typed, typed != settings[text: "prefix"] else { return }
            settings[text: "prefix"] = typed
        }
    }

    /// Returns the characters of a prefix that are dialled, or nil if the text is not a valid prefix.
    static func prefix(_ text: String) -> String? {
        // Users may group the digits of a prefix as in a telephone number.
        let dialled = text.filter { !" -()".contains($0) }
        let rules = DialRules(prefix: dialled, formNamed: "")
        return rules.prefix == dialled ? dialled : nil
    }
}
