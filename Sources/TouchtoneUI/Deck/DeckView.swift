// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The microcassette deck of the answering machine: its switch, the tape, two counters, a slider, and the keys PLAY, STOP and
/// ERASE.
///
/// It shows what it is given, and says which key was pressed.
@MainActor
final class DeckView {
    struct Content: Hashable {
        /// Whether the machine is on.
        var isOn = false
        /// Whether the deck shows only its title.
        var isFolded = false
        /// The handwriting on the tape.
        var label = ""
        /// The number of messages that nobody has heard.
        var unheard = 0
        /// The length of the chosen recording; nil without one.
        var length: Duration?
        /// The place in it, if it is played or paused.
        var position: Duration?
        var isPlaying = false
        /// Whether the machine is recording.
        var isRecording = false
    }

    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8, style: "deck")
    var onSwitch: (@MainActor (Bool) -> Void)?
    var onPlay: (@MainActor () -> Void)?
    var onStop: (@MainActor () -> Void)?
    var onErase: (@MainActor () -> Void)?
    /// Called with the place in the recording to which the user moves.
    var onMove: (@MainActor (Duration) -> Void)?

    private let lamp = Widget.box(GTK_ORIENTATION_HORIZONTAL, style: "light")
    private let word = Widget.label(style: "deck-small")
    private let power: Widget = gtk_switch_new()
    private let body = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 12)
    private let well = Widget.box(GTK_ORIENTATION_VERTICAL, style: "deck-well")
    private let (large, small) = (
        CassetteView(width: 164, hasLine: true), CassetteView(width: 92, hasLine: false)
    )
    private let (count, clock) = (DeckCounter(), DeckCounter())
    private let position = PositionScale(style: "deck-slider")
    private let play = DeckKey(
        localizedIn("key of the deck", "PLAY"), "media-playback-start-symbolic",
        name: localizedIn("verb", "Play"))
    private let stop = DeckKey(
        localizedIn("key of the deck", "STOP"), "media-playback-stop-symbolic",
        name: localized("Stop"))
    private let erase = DeckKey(
        localizedIn("key of the deck", "ERASE"), "user-trash-symbolic",
        name: localizedIn("verb", "Erase"))
    private var isShowing = false
    /// The least width with the large cassette, in layout pixels.
    private static let wide = 400

    init() {
        addTitle()
        for cassette in [large, small] { well.add(cassette.widget) }
        gtk_widget_set_valign(well, GTK_ALIGN_CENTER)
        let side = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8)
        let counters = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 12)
        gtk_box_set_homogeneous(counters.cast(), 1)
        for counter in [count, clock] { counters.add(counter.widget, grows: true) }
        let keys = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 4)
        gtk_box_set_homogeneous(keys.cast(), 1)
        for key in [play, stop, erase] { keys.add(key.widget, grows: true) }
        erase.widget.set(style: "erase", true)
        gtk_widget_set_valign(position.widget, GTK_ALIGN_CENTER)
        side.add(counters)
        side.add(position.widget, grows: true)
        side.add(keys)
        body.add(well)
        body.add(side, grows: true)
        widget.add(body)
        watch()
        gtk_widget_show_all(widget)
        for part in [body, large.widget, small.widget] { gtk_widget_set_no_show_all(part, 1) }
        small.widget.isVisible = false
    }

    private func addTitle() {
        let title = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8)
        let name = Widget.label(isCut: true, style: "deck-title")
        name.text = localized("ANSWERING MACHINE")
        name.setAccessible(name: localized("Answering Machine"))
        gtk_label_set_xalign(name.cast(), 0)
        for part in [lamp, power] { gtk_widget_set_valign(part, GTK_ALIGN_CENTER) }
        power.setAccessible(name: localized("Answering Machine"))
        title.add(name, grows: true)
        for part in [lamp, word, power] { title.add(part) }
        widget.add(title)
    }

    private func watch() {
        Signal.connectNotify(power, "notify::active") { [weak self] in
            guard let self, !isShowing else { return }
            onSwitch?(gtk_switch_get_active(power.cast()) != 0)
        }
        play.onPress = { [weak self] in self?.onPlay?() }
        stop.onPress = { [weak self] in self?.onStop?() }
        erase.onPress = { [weak self] in self?.onErase?() }
        position.onMove = { [weak self] in self?.onMove?($0) }
        Signal.connectNotify(widget, "size-allocate") { [weak self] in self?.chooseCassette() }
    }

    func show(_ content: Content) {
        isShowing = true
        gtk_switch_set_active(power.cast(), content.isOn ? 1 : 0)
        isShowing = false
        lamp.set(style: "lamp-on", content.isOn)
        word.text = content.isOn ? localizedIn("switch", "ON") : localizedIn("switch", "OFF")
        body.isVisible = !content.isFolded
        let (length, place) = (content.length ?? .zero, content.position ?? .zero)
        let isTurning = content.isPlaying || content.isRecording
        for cassette in [large, small] {
            cassette.show(label: content.label, progress: place.part(of: length), isTurning: isTurning)
        }
        let messages = min(content.unheard, 99)
        count.show(
            messages < 10 ? "0\(messages)" : "\(messages)",
            caption: localizedPlural("message", "messages", content.unheard))
        let whole = DurationText.text(length)
        clock.show(
            DurationText.text(seconds: Int(place.components.seconds)),
            caption: content.length == nil ? "" : localized("of {length}", ["length": whole]))
        position.show(place, of: length, isMovable: content.position != nil)
        play.show(isDown: content.isPlaying, isUsable: content.length != nil && !content.isRecording)
        stop.show(isDown: false, isUsable: content.isPlaying || content.position != nil)
        erase.show(isDown: false, isUsable: content.length != nil)
    }

    /// Shows the cassette that leaves room for the keys.
    private func chooseCassette() {
        let isWide = Int(gtk_widget_get_allocated_width(widget)) >= Self.wide
        guard large.widget.isVisible != isWide else { return }
        // The sizes of this allocation are not to change under it.
        MainLoop.soon { [weak self] in
            self?.large.widget.isVisible = isWide
            self?.small.widget.isVisible = !isWide
        }
    }
}

/// A piano key of the deck, which stays down while it is in use.
@MainActor
private final class DeckKey {
    let widget = Widget.button("", style: "deck-key")
    var onPress: (@MainActor () -> Void)?

    init(_ word: String, _ icon: String, name: String) {
        gtk_container_remove(widget.cast(), gtk_bin_get_child(widget.cast()))
        let column = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 2)
        gtk_widget_set_valign(column, GTK_ALIGN_CENTER)
        column.add(Widget.icon(icon))
        let label = Widget.label(isCut: true)
        label.text = word
        gtk_label_set_xalign(label.cast(), 0.5)
        column.add(label)
        gtk_container_add(widget.cast(), column)
        widget.setAccessible(name: name)
        Signal.connect(widget, "clicked") { [weak self] in self?.onPress?() }
    }

    func show(isDown: Bool, isUsable: Bool) {
        widget.set(style: "down", isDown)
        gtk_widget_set_sensitive(widget, isUsable ? 1 : 0)
    }
}
