// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The rows of one line: how numbers are written on it.
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
        settings = try LineSettings.open(line.id, resources: dependencies.resources)
        builder = try Builder(file: dependencies.resources.layout("preferences-line"))
        widget = try builder.object("line")
        form = ChoiceRow(
            try builder.object("form"), of: "form", in: settings,
            [
                .init("as-dialled", "As Dialled"), .init("national", "National"),
                .init("international", "International"),
            ])
        let entry: UnsafeMutablePointer<GtkEntry> = try builder.object("prefix")
        prefix = dependencies.pad.attach(to: entry, taking: .number)
        let name = LineStrings.name(of: line)
        hdy_preferences_group_set_title(widget.cast(), name)
        showUse(by: dependencies)
        let field: Widget = entry.cast()
        field.setAccessible(name: "Prefix")
        field.setAccessible(description: name)
        gtk_entry_set_max_length(entry, gint(DialRules.maximumPrefixLength))
        connect(field)
    }

    /// Says whether DIAL uses the line, and what state it is in, as long as the group is there.
    private func showUse(by dependencies: PreferencesDependencies) {
        let (lines, main, line, group) = (dependencies.lines, dependencies.settings, line, widget)
        let show: @MainActor () -> Void = { [weak main] in
            let setting = main?[text: "dial-line"] ?? ""
            let isUsed = LineChooser.line(of: lines, setting: setting) === line
            let text = (isUsed ? ["DIAL uses this line."] : []) + [LineStrings.description(of: line)]
            hdy_preferences_group_set_description(group.cast(), text.joined(separator: " "))
        }
        main.follow("dial-line", until: group, show)
        lines.observe(by: self) { _ in show() }
    }

    /// What is no prefix is marked, and not kept.
    private func connect(_ field: Widget) {
        settings.bindWritable("prefix", to: field)
        var isShowing = false
        settings.follow("prefix", until: field) { [weak self] in
            guard let self else { return }
            let kept = settings[text: "prefix"]
            guard Self.prefix(prefix.text) != kept else { return }
            isShowing = true
            gtk_entry_set_text(prefix.entry, kept)
            isShowing = false
            field.set(style: "error", Self.prefix(kept) == nil)
        }
        Signal.connect(prefix.entry, "changed") { [weak self] in
            guard let self else { return }
            let typed = Self.prefix(prefix.text)
            field.set(style: "error", typed == nil)
            guard !isShowing, let typed, typed != settings[text: "prefix"] else { return }
            settings[text: "prefix"] = typed
        }
    }

    /// What is dialled of a text; nil where something in it cannot be before a number.
    static func prefix(_ text: String) -> String? {
        // As the number pad groups digits.
        let dialled = text.filter { !" -()".contains($0) }
        let rules = DialRules(prefix: dialled, formNamed: "")
        return rules.prefix == dialled ? dialled : nil
    }
}

/// What lines are called.
@MainActor
enum LineStrings {
    static func name(of line: any Line) -> String { known[line.id]?.name ?? line.label }

    /// What is to be known of it before it is chosen, or why it cannot be used.
    static func description(of line: any Line) -> String {
        switch line.state {
        case .available: known[line.id]?.description ?? ""
        case .connecting: "The line is being connected."
        case .unavailable(let reason): reason
        }
    }

    private static let known: [String: (name: String, description: String)] = [
        "tel": (
            "The Program for tel: Links",
            "The number is handed to the desktop’s program for telephone links."
        ),
        "practice": (
            "The Practice Exchange",
            "Inside this program: it reaches nobody, and costs nothing. It knows numbers of seven and ten digits."
        ),
    ]
}
