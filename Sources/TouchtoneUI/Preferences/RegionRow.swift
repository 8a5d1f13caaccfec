// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The row that chooses the region, with a button that opens a list of countries with a search field.
///
/// A code that is not in the list is shown as it is, and kept until the user chooses a region.
@MainActor
final class RegionRow {
    private let button, label: Widget
    private let settings: Settings
    private let system: String
    private let regions: [ListedRegion]

    /// - Parameter row: The row, which is described by the choice.
    init(_ row: Widget, button: Widget, label: Widget, settings: Settings, choices: RegionChoices) {
        (self.button, self.label, self.settings, system) = (button, label, settings, choices.system)
        regions = choices.list()
        settings.bindWritable("region", to: button)
        settings.follow("region", until: button) { [weak self] in self?.show(in: row) }
        Signal.connect(button, "clicked") { [weak self] in self?.open() }
    }

    private func show(in row: Widget) {
        let code = settings[text: "region"]
        label.text = code.isEmpty ? systemName : name(of: code)
        button.setAccessible(name: localized("Region"))
        for widget in [row, button] { widget.setAccessible(description: label.text) }
    }

    private func name(of code: String) -> String {
        let code = code.uppercased()
        return regions.first { $0.code == code }?.name ?? localized("{name} (not found)", ["name": code])
    }

    private var systemName: String {
        let name = regions.first { $0.code == system }?.name ?? system
        // Translators: the region of the system's settings, such as “System (Germany)”.
        return localized("System ({region})", ["region": name])
    }

    private func open() {
        RegionList.open(
            at: button, system: systemName, regions: regions, chosen: settings[text: "region"].uppercased()
        ) { [settings] in settings[text: "region"] = $0 }
    }
}

/// A popover with the list of countries and a search field.
@MainActor
final class RegionList {
    private let popover: TransientPopover
    private let search: Widget = gtk_search_entry_new()
    private let list: Widget = gtk_list_box_new()
    private let none = Widget.label(localized("No matching countries."), style: "dim-label")
    private let choose: @MainActor (String) -> Void
    /// The rows, with the code and the searched text of each.
    private var rows: [(row: Widget, code: String, text: String)] = []

    private init(at widget: Widget, choose: @escaping @MainActor (String) -> Void) {
        popover = TransientPopover(at: widget)
        self.choose = choose
    }

    /// `chosen` and what `choose` gets are codes, empty for the system's region, which is named `system`.
    static func open(
        at widget: Widget, system: String, regions: [ListedRegion], chosen: String,
        choose: @escaping @MainActor (String) -> Void
    ) {
        let opened = RegionList(at: widget, choose: choose)
        opened.add("", system, "")
        for region in regions { opened.add(region.code, region.name, region.callingCode) }
        opened.build(chosen)
        opened.popover.open(with: opened)
        gtk_widget_grab_focus(opened.search)
    }

    private func add(_ code: String, _ name: String, _ callingCode: String) {
        let row: Widget = gtk_list_box_row_new()
        let line = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 12, style: "region")
        line.add(Widget.label(name, isCut: true), grows: true)
        let number = Widget.label(callingCode.isEmpty ? "" : "+\(callingCode)", style: "dim-label")
        gtk_widget_set_direction(number, GTK_TEXT_DIR_LTR)
        line.add(number)
        gtk_container_add(row.cast(), line)
        row.setAccessible(name: name)
        gtk_container_add(list.cast(), row)
        rows.append((row, code, "\(name) \(code) \(callingCode)"))
    }

    private func build(_ chosen: String) {
        let column = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8, style: "ask")
        let scrolled: Widget = gtk_scrolled_window_new(nil, nil)
        gtk_scrolled_window_set_policy(scrolled.cast(), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_widget_set_size_request(scrolled, 280, 300)
        gtk_container_add(scrolled.cast(), list)
        for part in [search, none] { column.add(part) }
        column.add(scrolled, grows: true)
        gtk_container_add(popover.widget.cast(), column)
        gtk_widget_show_all(column)
        none.isVisible = false
        gtk_entry_set_placeholder_text(search.cast(), localized("Country or code"))
        search.setAccessible(name: localized("Search countries"))
        list.setAccessible(name: localized("Countries"))
        popover.widget.setAccessible(name: localized("Region"))
        gtk_list_box_set_selection_mode(list.cast(), GTK_SELECTION_BROWSE)
        let selected = rows.first { $0.code == chosen }?.row
        gtk_list_box_select_row(list.cast(), selected?.cast())
        Signal.connect(search, "changed") { [weak self] in self?.filter() }
        Signal.connect(search, "stop-search") { [weak self] in self?.popover.close() }
        Signal.connect(search, "activate") { [weak self] in self?.choose(self?.shown.first) }
        search.onDown { [weak self] in
            guard let first = self?.shown.first else { return false }
            gtk_widget_grab_focus(first.row)
            return true
        }
        Signal.connectPointer(list, "row-activated") { [weak self] row in
            self?.choose(self?.rows.first { UnsafeMutableRawPointer($0.row) == row })
        }
    }

    private var shown: [(row: Widget, code: String, text: String)] { rows.filter { $0.row.isVisible } }

    private func filter() {
        let typed = search.entryText
        for (row, _, text) in rows {
            // Matches the beginnings of words, without case and accents.
            row.isVisible = typed.trimmed.isEmpty || g_str_match_string(typed, text, 1) != 0
        }
        none.isVisible = shown.isEmpty
    }

    private func choose(_ row: (row: Widget, code: String, text: String)?) {
        guard let row else { return }
        choose(row.code)
        popover.close()
    }
}
