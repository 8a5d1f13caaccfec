// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The rows of an account's codecs, the preferred one first; those that are turned off come last.
@MainActor
final class CodecRows {
    var rows: [Widget] { places.map(\.row) }

    private let settings: Settings
    private let places: [Place]
    /// The codecs that are turned on, in their order.
    private var chosen: [String] = []
    private var isShowing = false

    /// The widgets of a row, which shows another codec after a change of the order.
    private struct Place {
        let builder: Builder
        let row, use, up, down: Widget
    }

    /// The values of the setting, in the order of its default.
    private static let all = ["opus", "G722", "PCMA", "PCMU"]
    private static let key = "codecs"

    init(_ settings: Settings, _ resources: Resources) throws(GLibError) {
        self.settings = settings
        var places: [Place] = []
        for _ in Self.all {
            let builder = try Builder(file: resources.layout("preferences-sip-codec"))
            places.append(
                Place(
                    builder: builder, row: try builder.object("codec"), use: try builder.object("use"),
                    up: try builder.object("up"), down: try builder.object("down")))
        }
        self.places = places
        for (index, place) in places.enumerated() {
            Signal.connectNotify(place.use, "notify::active") { [weak self] in self?.toggled() }
            Signal.connect(place.up, "clicked") { [weak self] in self?.move(index, to: index - 1) }
            Signal.connect(place.down, "clicked") { [weak self] in self?.move(index, to: index + 1) }
        }
        settings.follow(Self.key, until: places[0].row) { [weak self] in self?.show() }
        show()
    }

    /// The codecs in the order of the rows.
    private var shown: [String] { chosen + Self.all.filter { !chosen.contains($0) } }

    private func show() {
        chosen = []
        for name in settings[list: Self.key] {
            let known = Self.all.first { $0.lowercased() == name.lowercased() }
            if let known, !chosen.contains(known) { chosen.append(known) }
        }
        if chosen.isEmpty { chosen = Self.all }
        isShowing = true
        for (index, (place, codec)) in zip(places, shown).enumerated() { show(codec, at: index, in: place) }
        isShowing = false
    }

    private func show(_ codec: String, at index: Int, in place: Place) {
        let (name, description) = Self.texts(of: codec)
        hdy_preferences_row_set_title(place.row.cast(), name)
        hdy_action_row_set_subtitle(place.row.cast(), description)
        cgtk_widget_set_accessible(place.row, name, description)
        place.use.setAccessible(name: localized("Use {codec}", ["codec": name]))
        place.up.setAccessible(name: localized("Move {codec} Up", ["codec": name]))
        place.down.setAccessible(name: localized("Move {codec} Down", ["codec": name]))
        let isWritable = settings.isWritable(Self.key)
        let isOn = index < chosen.count
        gtk_switch_set_active(place.use.cast(), isOn ? 1 : 0)
        // A call needs one.
        gtk_widget_set_sensitive(place.use, isWritable && !(isOn && chosen.count == 1) ? 1 : 0)
        gtk_widget_set_sensitive(place.up, isWritable && isOn && index > 0 ? 1 : 0)
        gtk_widget_set_sensitive(place.down, isWritable && index + 1 < chosen.count ? 1 : 0)
    }

    /// Saves the positions of the switches soon: one that is being switched would undo a change of its row.
    private func toggled() {
        guard !isShowing else { return }
        Task { [weak self] in self?.saveSwitches() }
    }

    private func saveSwitches() {
        let isOn = places.map { gtk_switch_get_active($0.use.cast()) != 0 }
        let changed = zip(shown, isOn).enumerated().first { $0.element.1 != ($0.offset < chosen.count) }
        guard let changed else { return }
        save(zip(shown, isOn).filter(\.1).map(\.0))
        let index = shown.firstIndex(of: changed.element.0)
        gtk_widget_grab_focus(places[index ?? 0].use)
    }

    private func move(_ index: Int, to other: Int) {
        guard chosen.indices.contains(index), chosen.indices.contains(other) else { return }
        var codecs = chosen
        codecs.swapAt(index, other)
        save(codecs)
        // The focus follows the codec, so that it can be moved on.
        let (first, second) =
            other < index ? (places[other].up, places[other].down) : (places[other].down, places[other].up)
        gtk_widget_grab_focus(gtk_widget_get_sensitive(first) != 0 ? first : second)
    }

    private func save(_ codecs: [String]) {
        if codecs == Self.all { settings.reset(Self.key) } else { settings[list: Self.key] = codecs }
        show()
    }

    private static func texts(of codec: String) -> (name: String, description: String) {
        switch codec {
        case "opus": ("Opus", localizedIn("codec", "Best sound, and adapts to the connection"))
        case "G722": ("G.722", localizedIn("codec", "Good sound, common in company exchanges"))
        case "PCMA": ("G.711 A-law (PCMA)", localizedIn("codec", "Telephone sound, in most of the world"))
        default: ("G.711 µ-law (PCMU)", localizedIn("codec", "Telephone sound, in North America and Japan"))
        }
    }
}
