// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A line at the foot of the panel that says what was done, and how to undo it; it goes by itself after a while.
///
/// There is one at a time. It stays while somebody is at it, by pointer or by keyboard.
@MainActor
package final class Toast {
    /// How long it stays, when nobody is at it.
    package static let time = Duration.seconds(10)

    private let clock: any PhoneClock
    private let overlay: UnsafeMutablePointer<GtkWidget>
    private var parts: Parts?
    private var timer: (any PhoneTimer)?
    private var action: (@MainActor () -> Void)?
    private var gone: (@MainActor () -> Void)?

    private struct Parts {
        let revealer: Widget
        let label: Widget
        let key: Widget
        let cross: Widget
    }

    /// - Parameters:
    ///   - overlay: a `GtkOverlay`, over whose content it comes.
    ///   - clock: by which it goes.
    init(over overlay: UnsafeMutablePointer<GtkWidget>, clock: any PhoneClock) {
        (self.overlay, self.clock) = (overlay, clock)
    }

    /// Called when it goes from under the keyboard, which has to go on elsewhere.
    var onLeave: (@MainActor () -> Void)?
    /// Whether it is there.
    package private(set) var isShown = false

    /// Says something, in place of what was said.
    ///
    /// - Parameters:
    ///   - verb: what the key says; empty is no key.
    ///   - gone: called when it has gone, and the key was not pressed.
    ///   - action: called when the key is pressed; by then it has gone.
    package func show(
        _ text: String, verb: String = "", gone: (@MainActor () -> Void)? = nil,
        action: (@MainActor () -> Void)? = nil
    ) {
        dismiss()
        (self.action, self.gone, isShown) = (action, gone, true)
        let parts = self.parts ?? make()
        parts.label.text = text
        gtk_button_set_label(parts.key.cast(), verb)
        parts.key.isVisible = !verb.isEmpty
        // Assistive tools tell of a notice when it comes to be seen.
        parts.revealer.setAccessible(name: text)
        gtk_widget_show(parts.revealer)
        gtk_revealer_set_reveal_child(parts.revealer.cast(), 1)
        wait()
    }

    /// Has it go, as its cross does.
    package func dismiss() {
        guard isShown else { return }
        let gone = gone
        hide()
        gone?()
    }

    /// Does what its key does; false where there is none.
    package func act() -> Bool {
        guard isShown, let action else { return false }
        hide()
        action()
        return true
    }

    private func hide() {
        timer?.cancel()
        (timer, action, gone, isShown) = (nil, nil, nil, false)
        guard let parts else { return }
        let hadFocus = parts.revealer.holdsFocus
        gtk_widget_hide(parts.revealer)
        gtk_revealer_set_reveal_child(parts.revealer.cast(), 0)
        if hadFocus { onLeave?() }
    }

    private func wait() {
        timer = clock.schedule(after: Self.time) { [weak self] in
            guard let self else { return }
            if isInUse { wait() } else { dismiss() }
        }
    }

    private var isInUse: Bool {
        guard let parts else { return false }
        return parts.revealer.holdsFocus
            || [parts.key, parts.cross].contains {
                gtk_widget_get_state_flags($0).rawValue & GTK_STATE_FLAG_PRELIGHT.rawValue != 0
            }
    }

    private func make() -> Parts {
        let parts = Parts(
            revealer: gtk_revealer_new(), label: .label(), key: .button("", style: "panel-key", "accept"),
            cross: .iconButton("window-close-symbolic", name: "Close notice", tip: "Close (Esc)"))
        let line = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8, style: "toast")
        gtk_label_set_line_wrap(parts.label.cast(), 1)
        gtk_label_set_line_wrap_mode(parts.label.cast(), PANGO_WRAP_WORD_CHAR)
        gtk_label_set_max_width_chars(parts.label.cast(), 30)
        line.add(parts.label, grows: true)
        for key in [parts.key, parts.cross] {
            gtk_widget_set_valign(key, GTK_ALIGN_CENTER)
            // A click leaves the keyboard where it was.
            gtk_widget_set_focus_on_click(key, 0)
            line.add(key)
        }
        gtk_container_add(parts.revealer.cast(), line)
        gtk_widget_show_all(line)
        // Where the desktop asks for no motion, GTK reveals at once.
        gtk_revealer_set_transition_type(parts.revealer.cast(), GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP)
        gtk_revealer_set_transition_duration(parts.revealer.cast(), 150)
        gtk_widget_set_valign(parts.revealer, GTK_ALIGN_END)
        atk_object_set_role(gtk_widget_get_accessible(parts.revealer), ATK_ROLE_NOTIFICATION)
        gtk_overlay_add_overlay(overlay.cast(), parts.revealer)
        Signal.connect(parts.key, "clicked") { [weak self] in _ = self?.act() }
        Signal.connect(parts.cross, "clicked") { [weak self] in self?.dismiss() }
        self.parts = parts
        return parts
    }
}
