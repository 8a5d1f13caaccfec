// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A sound in a balloon: a microcassette, a key that plays it, its level picture, and its time.
@MainActor
final class VoiceView {
    struct Content: Hashable {
        /// The name of the file; nil for a voice message.
        var name: String?
        /// The levels of the parts; empty if they are not known.
        var levels: [UInt8] = []
        /// The length; nil if it is not known.
        var length: Duration?
        /// The place in the sound, if it is played.
        var position: Duration?
        var isPlaying = false
        /// Another fact, such as the size of a file that is not on this computer.
        var detail = ""
    }

    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 4, style: "voice")
    var onPlay: (@MainActor () -> Void)?
    /// Called with the place in the sound to which the user moves.
    var onMove: (@MainActor (Duration) -> Void)?

    private let name = Widget.label(style: "file-name")
    private let cassette = CassetteView(width: 92, hasLine: false)
    private let key = Widget.button("", style: "voice-key")
    private let icon: Widget = gtk_image_new()
    private let levels = LevelPicture(width: 72)
    private let time = Widget.label(style: "tape-time")
    private let detail = Widget.label(style: "file-detail")

    init() {
        gtk_label_set_ellipsize(name.cast(), PANGO_ELLIPSIZE_MIDDLE)
        gtk_label_set_max_width_chars(name.cast(), 24)
        gtk_label_set_xalign(name.cast(), 0)
        gtk_widget_set_valign(key, GTK_ALIGN_CENTER)
        gtk_container_remove(key.cast(), gtk_bin_get_child(key.cast()))
        gtk_container_add(key.cast(), icon)
        Signal.connect(key, "clicked") { [weak self] in self?.onPlay?() }
        levels.onMove = { [weak self] in self?.onMove?($0) }
        let times = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8)
        gtk_label_set_xalign(time.cast(), 0)
        times.add(time, grows: true)
        times.add(detail)
        gtk_label_set_ellipsize(detail.cast(), PANGO_ELLIPSIZE_END)
        let right = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 4)
        gtk_widget_set_valign(right, GTK_ALIGN_CENTER)
        right.add(levels.widget)
        right.add(times)
        let line = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 12)
        line.add(cassette.widget)
        line.add(key)
        line.add(right, grows: true)
        widget.add(name)
        widget.add(line)
        gtk_widget_show_all(widget)
        gtk_widget_set_no_show_all(widget, 1)
    }

    func show(_ content: Content) {
        name.text = content.name ?? ""
        name.isVisible = content.name != nil
        let length = content.length ?? .zero
        let position = content.position ?? .zero
        cassette.show(progress: position.part(of: length), isTurning: content.isPlaying)
        levels.show(content.levels, at: position, of: length, isMovable: content.position != nil)
        let sign = content.isPlaying ? "media-playback-pause-symbolic" : "media-playback-start-symbolic"
        gtk_image_set_from_icon_name(icon.cast(), sign, GTK_ICON_SIZE_BUTTON)
        let action = content.isPlaying ? localizedIn("verb", "Pause") : localizedIn("verb", "Play")
        key.setAccessible(name: action)
        gtk_widget_set_tooltip_text(key, action)
        time.text = Self.text(position: content.position, length: content.length)
        detail.text = content.detail
        detail.isVisible = !content.detail.isEmpty
    }

    /// Returns the place and the length, such as “0:17 / 0:42”; the length alone if the sound is not played.
    static func text(position: Duration?, length: Duration?) -> String {
        guard let length else { return "" }
        let whole = DurationText.text(max(.seconds(1), length))
        guard let position else { return whole }
        return "\(DurationText.text(seconds: Int(position.components.seconds))) / \(whole)"
    }
}
