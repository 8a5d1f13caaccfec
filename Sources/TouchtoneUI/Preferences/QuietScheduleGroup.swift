// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The schedule of Do Not Disturb on the Phone page: a row for each period, and those that add one.
@MainActor
final class QuietScheduleGroup {
    static let key = "quiet-schedule"

    /// The group, a `HdyPreferencesGroup`.
    let widget: Widget
    private let builder: Builder
    private let hours: QuietHours
    private let days: UnsafeMutablePointer<HdyComboRow>
    private let from, to: UnsafeMutablePointer<GtkEntry>
    private let add, addRow: Widget
    private var rows: [Widget] = []
    private var isDestroyed = false

    /// The days among which the user chooses; a script can set others.
    private static let choices = [[0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4], [5, 6]] + (0..<7).map { [$0] }

    init(_ resources: Resources, hours: QuietHours) throws(GLibError) {
        self.hours = hours
        builder = try Builder(file: resources.layout("preferences-quiet"))
        widget = try builder.object("quiet")
        (days, add, addRow) = (
            try builder.object("days"), try builder.object("add"), try builder.object("time-row")
        )
        (from, to) = (try builder.object("from"), try builder.object("to"))
        hdy_combo_row_bind(days, names: Self.choices.map(Self.text))
        hdy_combo_row_set_selected_index(days, 0)
        for (entry, minute) in [(from, 22 * 60), (to, 7 * 60)] {
            gtk_entry_set_text(entry, QuietPeriod.text(minute))
            Signal.connect(entry, "changed") { [weak self] in self?.say("") }
            Signal.connect(entry, "activate") { [weak self] in self?.addPeriod() }
        }
        Signal.connect(widget, "destroy") { [weak self] in self?.isDestroyed = true }
        Signal.connect(add, "clicked") { [weak self] in self?.addPeriod() }
        hours.observe(by: self) { [weak self] in self?.show() }
        show()
    }

    // MARK: - Display

    private func show() {
        guard !isDestroyed else { return }
        for row in rows { gtk_widget_destroy(row) }
        rows = hours.entries.enumerated().map(row)
        if let list: UnsafeMutablePointer<GtkListBox> = gtk_widget_get_parent(days.cast())?.cast() {
            for (index, row) in rows.enumerated() { gtk_list_box_insert(list, row, gint(index)) }
        }
        for widget: Widget in [days.cast(), from.cast(), to.cast(), add] {
            gtk_widget_set_sensitive(widget, hours.isEditable ? 1 : 0)
        }
    }

    private func row(at index: Int, of entry: QuietHours.Entry) -> Widget {
        let (title, subtitle) = Self.text(entry)
        let row: Widget = hdy_action_row_new()
        hdy_preferences_row_set_title(row.cast(), title)
        hdy_action_row_set_subtitle(row.cast(), subtitle)
        hdy_action_row_set_title_lines(row.cast(), 0)
        hdy_action_row_set_subtitle_lines(row.cast(), 0)
        row.setAnnounced(name: title, description: subtitle)
        let name = localized("Remove {name}", ["name": localizedList([title, subtitle])])
        let remove = Widget.iconButton("edit-delete-symbolic", name: name, tip: name)
        gtk_widget_set_valign(remove, GTK_ALIGN_CENTER)
        gtk_widget_set_sensitive(remove, hours.isEditable ? 1 : 0)
        Signal.connect(remove, "clicked") { [weak self] in
            guard let self else { return }
            // The key goes with its row.
            gtk_widget_grab_focus(days.cast())
            hours.remove(at: index)
        }
        gtk_container_add(row.cast(), remove)
        gtk_widget_show_all(row)
        return row
    }

    private static func text(_ entry: QuietHours.Entry) -> (title: String, subtitle: String) {
        switch entry {
        case .period(let period):
            let times = "\(QuietPeriod.text(period.start))–\(QuietPeriod.text(period.end))"
            return (text(period), times)
        case .unreadable(let text):
            return (
                PlainText.line(text, maximum: QuietPeriod.maximumLength),
                localized("This entry can’t be read, so the phone is not quiet then.")
            )
        }
    }

    private static func text(_ period: QuietPeriod) -> String {
        choices.contains(period.days)
            ? text(period.days) : localizedList(period.days.map { LocaleTime.weekday($0) })
    }

    private static func text(_ days: [Int]) -> String {
        switch days.count {
        case 7: localizedIn("days", "Every Day")
        case 5: localizedIn("days", "Monday to Friday")
        case 2: localizedIn("days", "Saturday and Sunday")
        default: localizedList(days.map { LocaleTime.weekday($0) })
        }
    }

    // MARK: - Adding

    private func addPeriod() {
        guard hours.isEditable else { return }
        let (start, end) = (Self.minute(from), Self.minute(to))
        for (entry, time) in [(from, start), (to, end)] {
            (entry.cast() as Widget).set(style: "error", time == nil)
        }
        let index = Int(hdy_combo_row_get_selected_index(days))
        guard let start, let end, Self.choices.indices.contains(index),
            let period = QuietPeriod(days: Self.choices[index], start: start, end: end)
        else {
            return say(localized("Enter the times in 24 hours, such as 22:00 and 7:00"), isError: true)
        }
        guard hours.hasRoom else {
            return say(
                localizedPlural(
                    "At most {count} time can be scheduled.", "At most {count} times can be scheduled.",
                    QuietHours.capacity))
        }
        hours.add(period)
        say("")
    }

    private static func minute(_ entry: UnsafeMutablePointer<GtkEntry>) -> Int? {
        QuietPeriod.minute(entry.text.trimmed)
    }

    private func say(_ text: String, isError: Bool = false) {
        if !isError {
            for entry in [from, to] { (entry.cast() as Widget).set(style: "error", false) }
        }
        hdy_action_row_set_subtitle(addRow.cast(), text)
        addRow.setAnnounced(name: localized("New Quiet Time"), description: text)
    }
}
