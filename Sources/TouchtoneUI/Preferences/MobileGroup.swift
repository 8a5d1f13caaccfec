// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The mobile phones on the Lines page, with their batteries, or the reason why there is none.
@MainActor
final class MobileGroup {
    /// The group, a `HdyPreferencesGroup`.
    let widget: Widget
    private let mobiles: any MobilePhones
    private let builder: Builder
    private var rows: [(phone: MobilePhone, row: Widget)] = []
    private var isDestroyed = false

    init(_ dependencies: PreferencesDependencies, mobiles: any MobilePhones) throws(GLibError) {
        self.mobiles = mobiles
        builder = try Builder(file: dependencies.resources.layout("preferences-mobile"))
        widget = try builder.object("mobile")
        Signal.connect(widget, "destroy") { [weak self] in self?.isDestroyed = true }
        mobiles.observe(by: self) { [weak self] in self?.show() }
        show()
    }

    private func show() {
        guard !isDestroyed else { return }
        let phones = mobiles.phones
        hdy_preferences_group_set_description(widget.cast(), reason(for: phones))
        guard phones != rows.map(\.phone) else { return }
        for (_, row) in rows { gtk_widget_destroy(row) }
        rows = phones.map { ($0, row($0)) }
        for (_, row) in rows { gtk_container_add(widget.cast(), row) }
    }

    /// Returns what the group is for, or why there is no phone.
    private func reason(for phones: [MobilePhone]) -> String {
        guard mobiles.isOffered != false else {
            return localized(
                "A phone paired by Bluetooth can be a line. This needs PipeWire 1.4 or later with Bluetooth."
            )
        }
        guard phones.isEmpty else {
            return localized("Phones paired by Bluetooth are lines while they are connected.")
        }
        return localized(
            "A phone paired by Bluetooth is a line while it is connected. None is connected now.")
    }

    private func row(_ phone: MobilePhone) -> Widget {
        let row: Widget = hdy_action_row_new()
        row.isVisible = true
        hdy_preferences_row_set_title(row.cast(), phone.name)
        hdy_preferences_row_set_use_underline(row.cast(), 0)
        hdy_action_row_set_title_lines(row.cast(), 0)
        let state = Self.state(of: phone)
        hdy_action_row_set_subtitle(row.cast(), state)
        row.setAnnounced(name: phone.name, description: state)
        return row
    }

    private static func state(of phone: MobilePhone) -> String {
        guard phone.isConnected else { return localized("The phone is not connected.") }
        guard let battery = phone.battery else { return localizedIn("phone", "Connected") }
        return localized("Connected, battery {charge} %", ["charge": "\(battery)"])
    }
}
