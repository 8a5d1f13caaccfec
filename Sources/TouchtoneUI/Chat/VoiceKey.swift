// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The key that records a voice message while it is held, and the line that shows the recording.
///
/// A screen reader cannot hold a key: its click begins the recording, and the next one ends it.
@MainActor
final class VoiceKey {
    let widget = Widget.iconButton(
        "audio-input-microphone-symbolic", name: localized("Voice Message"),
        tip: localized("Hold to record a voice message"))
    /// The line with the time, which is visible during a recording.
    let line = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8, style: "recording")
    var onBegin: (@MainActor () -> Void)?
    var onSend: (@MainActor () -> Void)?
    /// Called when a recording in progress, if there is one, is to be discarded.
    var onDiscard: (@MainActor () -> Void)?

    private enum Holder: Hashable {
        case pointer
        case keyboard(code: UInt16)
    }

    private let time = Widget.label(style: "recording-time")
    private var holder: Holder?
    private var isReleasedInside = false
    private var isRecording: Bool { line.isVisible }

    init() {
        setUpLine()
        Signal.connect(widget, "pressed") { [weak self] in self?.press(.pointer) }
        // GTK emits “clicked” before “released”, if the pointer is over the key.
        Signal.connect(widget, "clicked") { [weak self] in self?.clicked() }
        Signal.connect(widget, "released") { [weak self] in self?.pointerReleased() }
        Signal.connectEvent(widget, "key-press-event") { [weak self] in
            self?.keyPressed($0.pointee.key) ?? false
        }
        Signal.connectEvent(widget, "key-release-event") { [weak self] in
            self?.keyReleased($0.pointee.key) ?? false
        }
        watchForLostRelease()
    }

    /// Discards the recording when the release of the key will not come.
    private func watchForLostRelease() {
        // The key of the keyboard is released in another widget or window.
        Signal.connectEvent(widget, "focus-out-event") { [weak self] _ in
            if let self, case .keyboard = holder { letGo() }
            return false
        }
        Signal.connectEvent(widget, "grab-broken-event") { [weak self] _ in
            if let self, holder == .pointer { letGo() }
            return false
        }
        Signal.connect(widget, "unmap") { [weak self] in self?.letGo() }
        Signal.connectNotify(widget, "notify::sensitive") { [weak self] in
            if let self, gtk_widget_get_sensitive(widget) == 0 { letGo() }
        }
    }

    private func setUpLine() {
        let light = Widget.box(GTK_ORIENTATION_HORIZONTAL, style: "light")
        light.set(style: "busy", true)
        gtk_widget_set_valign(light, GTK_ALIGN_CENTER)
        let help = Widget.label(
            localized("Release to send. Press Escape or move away to discard."), style: "correction-text")
        gtk_label_set_line_wrap(help.cast(), 1)
        gtk_label_set_max_width_chars(help.cast(), 24)
        gtk_label_set_xalign(help.cast(), 0)
        line.add(light)
        line.add(time)
        line.add(help, grows: true)
        gtk_widget_show_all(line)
        gtk_widget_set_no_show_all(line, 1)
        line.isVisible = false
    }

    /// Shows the length of the recording in seconds; nil if there is none.
    func show(seconds: Int?) {
        line.isVisible = seconds != nil
        widget.set(style: "recording", seconds != nil)
        if let seconds { time.text = DurationText.text(seconds: seconds) }
    }

    private func press(_ holder: Holder) {
        guard self.holder == nil else { return }
        self.holder = holder
        if !isRecording { onBegin?() }
    }

    private func clicked() {
        guard holder == nil else {
            isReleasedInside = holder == .pointer
            return
        }
        if isRecording { onSend?() } else { onBegin?() }
    }

    private func pointerReleased() {
        guard holder == .pointer else { return }
        holder = nil
        if isReleasedInside { onSend?() } else { onDiscard?() }
        isReleasedInside = false
    }

    private func keyPressed(_ key: GdkEventKey) -> Bool {
        switch Int32(bitPattern: key.keyval) {
        case GDK_KEY_space, GDK_KEY_KP_Space, GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter:
            press(.keyboard(code: key.hardware_keycode))
            return true
        case GDK_KEY_Escape where isRecording:
            // The key or the button is still held.
            onDiscard?()
            return true
        default: return false
        }
    }

    private func keyReleased(_ key: GdkEventKey) -> Bool {
        guard holder == .keyboard(code: key.hardware_keycode) else { return false }
        holder = nil
        onSend?()
        return true
    }

    private func letGo() {
        holder = nil
        isReleasedInside = false
        onDiscard?()
    }
}
